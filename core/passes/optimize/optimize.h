#pragma once

#include "passes/common/selection.h"
#include "passes/pass_log.h"

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
// Notes count what was done; the log lists each change. `ops`, which may be null, tells which nodes
// may be computed and merged.
//
// REQUIRES: the model is pruned to the outputs of `ends`; nodes in `keep` stay too.
Result<Model> optimize(const Model& model, const Optimization& optimization, const Ends& ends,
                       const OpRegistry* ops, PassLog& log);

}  // namespace cryo
