#pragma once

#include "passes/common/loading.h"

namespace cryo {

// Variables that every run assigns before anything reads them, as weight normalisation does that
// keeps its result in a variable: what a checkpoint has of them never shows.
//
//     w: VariableV2 ----> set: Assign(w, value) ------------> y      nobody else takes w
//     v: VarHandleOp -+-> set: AssignVariableOp(v, value)
//                     +-> read: ReadVariableOp(v, ^set) ----> y      each read waits for set
//
// Adds each to what freezing makes the value that it is assigned (`first`, `assigns`); the log says
// so. Not those that are to stay variables, nor one that is an output itself. The model is pruned
// to its outputs.
void find_always_assigned(const Model& model, const PassOptions& options, PassLog& log,
                          Loading& loading);

}  // namespace cryo
