#pragma once

#include "passes/pass.h"

namespace cryo {

// Function calls become the nodes of their bodies, calls in those too:
//
//     before  x --> call: PartitionedCall[f = dense] --> softmax       library: dense(a, w)
//             w ----^
//     after   x --> call/MatMul --> softmax
//             w ----^
//
// Nodes are named `call/node` (made unique); attributes that the body leaves to its caller are
// filled in; control edges to and from a call become edges to and from its body's nodes. An output
// (log.outputs) that is a call stays as an Identity or IdentityN of the call's name, another node
// to be kept (options.keep) as a NoOp. Functional control flow (While, If, Case) and calls that XLA
// must compile stay as they are. Nothing outside the calls changes; run prune() to drop what is no
// longer needed.
//
// `options.ops` tells at which port an output of a body's node stands. With `options.no_inline`
// only what the outputs do not need is inlined: what fills tables when the model is loaded.
//
// Fails where a function calls itself, where a body is incomplete, and where it uses the outputs of
// an op that is not known.
Result<Model> inline_calls(const Model& model, const PassOptions& options, PassLog& log);

// The same of these calls of the main graph alone: their bodies' calls stay calls.
Result<Model> inline_only(const Model& model, const std::vector<std::string>& calls,
                          const PassOptions& options, PassLog& log);

// As inline_calls(), and functional control flow becomes the nodes of TensorFlow 1
// (passes/inline/lower.h), in the bodies of calls too. With `options.no_inline` all calls but those
// of lowered branches and loops stay calls.
Result<Model> lower_control_flow(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
