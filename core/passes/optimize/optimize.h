#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"
#include "passes/common/selection.h"

namespace cryo {

class OpRegistry;

// The optimizations that are requested, in the order in which they are made.
struct Optimization {
  bool fold_batch_norm = false;
  bool fold_constants = false;
  bool quantize_weights = false;
  std::vector<std::string> cast = {};  // "FROM=TO" (passes/weights/casts.h)
  bool merge_duplicates = false;

  // Returns true if there is any.
  bool is_requested() const {
    return fold_batch_norm || fold_constants || quantize_weights || !cast.empty() ||
           merge_duplicates;
  }
};

// Makes the requested optimizations of a frozen main graph. Bodies of functions stay as they are.
// Notes count what was done; `changes` lists it. `ops`, which may be null, tells which nodes
// may be computed and merged.
//
// REQUIRES: the model is pruned to the outputs of `ends`; nodes in `keep` stay too.
Result<Model> optimize(const Model& model, const Optimization& optimization, const Ends& ends,
                       const OpRegistry* ops, GraphChanges& changes, Diagnostics& diagnostics);

}  // namespace cryo
