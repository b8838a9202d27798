#pragma once

#include <optional>

#include "passes/common/initializers.h"
#include "passes/prune/kept_variables.h"

namespace cryo {

// Removes updates to variables that no output observes: counters of calls, and states of random
// generators that the inference does not use.
//
//     n: VarHandleOp <-- add: AssignAddVariableOp(n, 1) --(control)--> y     add becomes a NoOp
//
// Returns nullopt if any updated variable is observable: the graph then has a state and is kept
// unchanged. Excludes variables that are to remain variables, and the assignments of `loading`. The
// log reports removed updates. REQUIRES: the model is pruned to the outputs; it has to be
// pruned again.
std::optional<Model> without_dead_updates(const Model& model,
                                          const std::vector<std::string>& outputs,
                                          const VariableSelection& selection,
                                          const Initializers& initializers,
                                          Diagnostics& diagnostics);

}  // namespace cryo
