#pragma once

#include "passes/pass.h"

namespace cryo {

// Returns true if an option of `options` asks for an optimization.
bool is_optimized(const PassOptions& options);

// Makes the requested optimizations of a frozen main graph, in this order: `fold_batch_norm`,
// `fold_constants`, `quantize_weights`, `cast`, `merge_duplicates`. Bodies of functions stay as
// they are. Notes count what was done; the log lists each change.
//
// REQUIRES: the model is pruned to `options.outputs`; those in `keep` stay too.
Result<Model> optimized(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
