#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"
#include "passes/common/selection.h"
#include "passes/prune/cleanup.h"

namespace cryo {

// `--inference`: a graph made ready to serve. What is done, in this order, with the changes
// that report it:
//
// - input pipelines are cut: their heads become placeholders, as with the input "auto"
// - of a TPU's cores one is taken (single_replica.h), of its loop one step (training_loop.h)
// - training switches are set (training_switches.h), and the branches that they rule out removed
// - statistics of a batch become moving averages (batch_statistics.h), ranges of fake quantization
//   those that training stored (stored_ranges.h)
// - branches whose condition is a constant are folded
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

// Completes the options from the graph: names of signatures become tensors, outputs are chosen
// before values are set,
// `inference` adds switches, inputs and cleanups, and the input "auto" becomes tensors.
Result<Preparation> prepare(const Model& model, const Preparation& requested, bool inference,
                            GraphChanges& changes, Diagnostics& diagnostics);

// Adds the training switches of a graph to `set`, those that are neither there nor inputs.
void add_switches(const Model& model, const std::vector<std::string>& inputs,
                  std::vector<std::string>& set, GraphChanges& changes, Diagnostics& diagnostics);

// The variables that average a statistic of the batch over batches, by the name of the node of
// which the statistic is.
using AveragesByNode = std::map<std::string, std::vector<std::string>>;

// Adds those of the FusedBatchNorms of a graph: all variables whose updates their statistics reach,
// in whatever form.
void add_averages(const Graph& graph, AveragesByNode& averages);

// Notes the changes, and warns of what the outputs still have of training: random numbers, and
// normalization by a batch's own statistics. `averages`: of the graph before it was pruned.
void report_inference(const Model& made, const std::vector<std::string>& outputs,
                      const GraphChanges& changes, const AveragesByNode& averages,
                      Diagnostics& diagnostics);

}  // namespace cryo
