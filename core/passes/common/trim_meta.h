#pragma once

#include "model/model.h"

namespace cryo {

// Removes from the MetaGraphDef what names nodes that `before` has and the model's graph has not:
//
//     signatures        with such an output; inputs of signatures. `cut`: the graph has new
//                       inputs, so a signature with such an input is removed as a whole
//     collections       VariableDefs, names of nodes, and messages (QueueRunnerDef, ...) that name
//                       such a node; of the contexts of loops and conditionals, the names. Writing
//                       completes those (model/control_contexts.h)
//     assets, saver     the saver, where any of its three nodes is removed
//
// Returns what the collections lost: "losses (1 of 2)".
std::vector<std::string> trim_meta(Model& model, const Graph& before, bool cut,
                                   Diagnostics& diagnostics);

}  // namespace cryo
