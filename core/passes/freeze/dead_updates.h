#pragma once

#include <optional>

#include "passes/common/loading.h"

namespace cryo {

// Leaves out what changes variables whose values no output shows: counters of calls, and states of
// random generators that run beside an inference which draws nothing.
//
//     n: VarHandleOp <-- add: AssignAddVariableOp(n, 1) --(control)--> y     add becomes a NoOp
//
// Only where that is so for all variables that are changed: else the graph has a state, and stays
// as it is, and nothing is returned. Not those that are to stay variables, nor the assignments of
// `loading`. The log says what went. The model is pruned to its outputs, and is to be pruned again.
std::optional<Model> without_unseen_updates(const Model& model, const PassOptions& options,
                                            const Loading& loading, PassLog& log);

}  // namespace cryo
