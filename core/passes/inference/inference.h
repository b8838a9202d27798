#pragma once

#include "passes/pass.h"

namespace cryo {

// `--inference`: a graph made ready to serve. What is done, in this order, each change in the log:
//
// - training switches are set (training_switches.h), and the branches that they rule out removed
// - statistics of a batch become moving averages (batch_statistics.h)
// - input pipelines are cut: their heads become placeholders, as with the input "auto"
// - dropout is removed (dropout.h)
// - checks and device placements are removed
//
// With the switches fed instead, and without the changes that are said to change numbers, the
// original computes the same bits.

// Returns the options with all that can be stated as options. Without `inference` the same.
Result<PassOptions> with_inference_options(const Model& model, const PassOptions& options,
                                           PassLog& log);

// Notes the changes, and warns of what the outputs still have of training: random numbers, and
// normalization by a batch's own statistics. REQUIRES: the log has the outputs.
void report_inference(const Model& made, PassLog& log);

}  // namespace cryo
