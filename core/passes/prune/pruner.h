#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/selection.h"

namespace cryo {

class OpRegistry;

// Keeps the nodes that the outputs need, back to the inputs: data edges, control edges, and the
// library functions that kept nodes name.
//
//     before   x --> conv --> relu --> prob        after   x --> conv --> relu --> prob
//                     ^         |                                                   ^
//                     w         +--> loss --> gradients ...                         w
//                     ^-- save/Assign
//
// An input that is not a placeholder becomes one, of the tensor's own type, with the node's name
// ("Split:1": "Split_1"). A colocation with a removed node is dropped, not the node. Signatures,
// collections and the saver are updated: entries that name removed nodes are removed. Nodes keep
// their order and their bytes.
//
// A table that is kept is filled as before: its initializers are kept as well, and the op that runs
// them all (initializer_steps.h) keeps its remaining inputs.
//
// Fails if an output or input is not in the graph ("x is not in graph"), or if a needed node's
// input is missing.
//
// REQUIRES: the outputs are chosen (passes/common/select_outputs.h). Without inputs, those of the
// signatures take their place. `ops` may be null: ports and types of some ops are then unknown.
Result<Model> prune_to_ends(const Model& model, const Ends& ends, const OpRegistry* ops,
                            Diagnostics& diagnostics);

// The same, but drops initializers; for callers that keep them themselves.
Result<Model> prune_to_outputs(const Model& model, const Ends& ends, const OpRegistry* ops,
                               Diagnostics& diagnostics);

// Returns the ends for pruning again: the inputs were made placeholders by the first time.
Ends without_inputs(const Ends& ends);

}  // namespace cryo
