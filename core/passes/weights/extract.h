#pragma once

#include "passes/pass.h"

namespace cryo {

// The weights of a model alone, a dictionary of names to arrays:
//
//     before      w: VariableV2, its value in a checkpoint      c: Const --> conv
//     after       "w" -> array, "c" -> array
//
// Variables go by their own name (a partitioned one whole, by the name it is saved under), weights
// among constants (passes/weights/find_weights.h) by theirs; what else the checkpoint holds, and
// all of one without a graph, by its key, less "/.ATTRIBUTES/VARIABLE_VALUE". Without what only
// training needs (model/analysis/optimizer_state.h), where asked so. `variables` and `exclude`
// choose among all of these by name (the key is one too). Then the rules of `rename` are followed.
// No weight is read.
//
// Variables that the checkpoint does not have are left out, with a warning. Fails with "no-weights"
// when there are none or none is chosen, with the fault of a weight that cannot be read, with
// "duplicate-name" when two would be called the same, and with "too-large" as un-freezing does.
Result<Model> extract_weights(const Model& model, const PassOptions& options, PassLog& log);

// The same weights in types that the rules of `cast` make (casts.h); all else as it is. The model
// itself without rules. Fails with "bad-option" for a graph, which declares the types of its
// weights, and as casting does.
Result<Model> with_cast_weights(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
