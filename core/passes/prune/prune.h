#pragma once

#include "passes/pass.h"

namespace cryo {

// Keeps what the outputs need, back to the inputs: data edges, control edges, and the library
// functions that kept nodes name.
//
//     before   x --> conv --> relu --> prob        after   x --> conv --> relu --> prob
//                     ^         |                                                   ^
//                     w         +--> loss --> gradients ...                         w
//                     ^-- save/Assign
//
// An input that is not a placeholder becomes one, of the tensor's own type, under the node's name
// ("Split:1": "Split_1"). A colocation with a node that goes is dropped, not the node. Signatures,
// collections and the saver follow: what names a node that went is left out. Nodes keep their order
// and their bytes.
//
// A table that stays is filled as before: what does so when the model is loaded stays as well, and
// of the op that runs it all (load_time.h) what is left to run.
//
// Fails where an output or input is not in the graph ("x is not in graph"), or where a needed
// node's input is missing.
Result<Model> prune(const Model& model, const PassOptions& options, PassLog& log);

// The same without what only loading needs, for who keeps that in another way.
Result<Model> prune_to_outputs(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
