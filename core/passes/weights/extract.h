#pragma once

#include "passes/pass.h"

namespace cryo {

// Returns only the weights of a model, a dictionary of names to arrays:
//
//     before      w: VariableV2, its value in a checkpoint      c: Const --> conv
//     after       "w" -> array, "c" -> array
//
// Names: variables have their own name (a partitioned one whole, with the name it is saved under),
// weights among constants (passes/weights/find_weights.h) theirs. Other tensors of the checkpoint,
// and all of a checkpoint without a graph, have their key, without "/.ATTRIBUTES/VARIABLE_VALUE".
// Optimizer state (model/analysis/optimizer_state.h) is excluded on request. `variables` and
// `exclude` select among all of these by name (the key counts too). Then the rules of `rename` are
// applied. No weight is read.
//
// The weights of several models (`more`) are put together, or combined to their mean (`average`;
// passes/weights/several_models.h). Options name the weights of any of them.
// `salvage` keeps those of a damaged model that are whole (passes/weights/salvage.h).
//
// Variables that the checkpoint does not have are skipped, with a warning. Fails with "no-weights"
// if there are none or none is selected, with the fault of a weight that cannot be read, with
// "duplicate-name" if two would have one name, and with "too-large" as un-freezing does.
Result<Model> extract_weights(const Model& model, const PassOptions& options, PassLog& log);

// The same weights in types that the rules of `cast` make (casts.h); all else as it is. The model
// itself without rules. Fails with "bad-option" for a graph, which declares the types of its
// weights, and as casting does.
Result<Model> with_cast_weights(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
