#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"
#include "passes/common/selection.h"
#include "passes/prune/cleanup.h"

namespace cryo {

// `--inference`: a graph made ready to serve. What is done, in this order, with the changes
// that report it:
//
// - training switches are set (training_switches.h), and the branches that they rule out removed
// - statistics of a batch become moving averages (batch_statistics.h)
// - input pipelines are cut: their heads become placeholders, as with the input "auto"
// - dropout is removed (dropout.h)
// - checks and device placements are removed
//
// With the switches fed instead, and without the changes that are said to change numbers, the
// original computes the same bits.

// The options of a verb that depend on the graph.
struct Preparation {
  Selection selection = {};
  std::vector<std::string> set = {};  // "NAME=VALUE"
  Cleanup cleanup = {};
};

// Completes the options from the graph: outputs are chosen before values are set,
// `inference` adds switches, inputs and cleanups, and the input "auto" becomes tensors.
Result<Preparation> prepare(const Model& model, const Preparation& requested, bool inference,
                            GraphChanges& changes, Diagnostics& diagnostics);

// Notes the changes, and warns of what the outputs still have of training: random numbers, and
// normalization by a batch's own statistics.
void report_inference(const Model& made, const std::vector<std::string>& outputs,
                      const GraphChanges& changes, Diagnostics& diagnostics);

}  // namespace cryo
