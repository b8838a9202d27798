#pragma once

#include "passes/common/initializers.h"
#include "passes/prune/kept_variables.h"

namespace cryo {

// Finds variables that every run overwrites before reading, e.g. a cached weight normalization.
// Their checkpoint value is never observed.
//
//     w: VariableV2 ----> set: Assign(w, value) ------------> y      nobody else takes w
//     v: VarHandleOp -+-> set: AssignVariableOp(v, value)
//                     +-> read: ReadVariableOp(v, ^set) ----> y      each read waits for set
//
// Records each one in `loading` (`first`, `assigns`), so that freezing replaces it by the assigned
// value, which a note reports. Excludes variables that are to remain variables, and
// the outputs.
// REQUIRES: the model is pruned to its outputs.
void find_always_assigned(const Model& model, const std::vector<std::string>& outputs,
                          const VariableSelection& selection, Diagnostics& diagnostics,
                          Initializers& initializers);

}  // namespace cryo
