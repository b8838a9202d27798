#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/conversion.h"
#include "passes/common/graph_change.h"
#include "passes/common/selection.h"
#include "passes/inference/inference.h"
#include "passes/prune/cleanup.h"
#include "verbs/graph_result.h"

namespace cryo {

class OpRegistry;

// A verb on its way that reduces a graph to its outputs. Each stage replaces `model`.
struct GraphJob {
  Model opened;
  const OpRegistry* ops;  // null: what needs the definitions of ops is not done
  Diagnostics& diagnostics;
  Selection selection;           // outputs and signatures become those that were chosen
  std::vector<std::string> set;  // "NAME=VALUE"
  Cleanup cleanup;
  bool inference = false;     // ready to serve
  bool inlines_calls = true;  // in whose bodies set values decide branches
  Model model = opened;
  GraphChanges changes = {};
  AveragesByNode averages = {};        // of `inference`: those of the graph before it was pruned
  bool has_constant_branches = false;  // without_constant_branches() folded some
  Conversions converted = {};
  std::vector<Diagnostic> unfilled = {};  // tables that nothing fills

  Status become(Result<Model> made);

  // Ends the job, with the chosen outputs as the model's.
  GraphResult result() &&;

  // Returns the model without the `_output_shapes` that a stage contradicted.
  Model without_stale_shapes() const;
};

// The stages of `prune` and of `freeze`, in the order in which both have them.

// Completes the options from the graph (passes/inference/inference.h).
Status complete_options(GraphJob& job);

// Fills tables whose contents a checkpoint has.
Status fill_tables(GraphJob& job);

Status set_values(GraphJob& job);

// With `inference`: one of a TPU's cores, and one step of its loop.
Status take_single_replica(GraphJob& job);

// With `inference`: moving averages for the statistics of a batch, stored ranges for updated ones.
Status use_stored_values(GraphJob& job);

Status choose_outputs(GraphJob& job);

// Returns the model without the captures of loops and calls that nothing uses once values are set
// or branches folded; nullopt where all are used. Prune afterwards.
std::optional<Model> without_captures(const GraphJob& job);

// With `inference`: folds branches whose conditions are constants of the graph. Returns nullopt if
// there are none, or if an output would go with them. Prune afterwards.
std::optional<Model> without_constant_branches(GraphJob& job, const Selection& ends);

// With `inference`. Prune afterwards: other nodes were only for dropout.
Status remove_dropout(GraphJob& job);

// Lists the variables that are left where the opened model lists its own.
Status list_variables(GraphJob& job);

Status make_cleanups(GraphJob& job);

// Makes the requested cleanups, and reports what `inference` changed and left.
Status clean_up(GraphJob& job);

}  // namespace cryo
