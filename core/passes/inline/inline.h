#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/selection.h"

namespace cryo {

class OpRegistry;

// Inlines function calls, and the calls in their bodies:
//
//     before  x --> call: PartitionedCall[f = dense] --> softmax       library: dense(a, w)
//             w ----^
//     after   x --> call/MatMul --> softmax
//             w ----^
//
// Nodes are named `call/node` (made unique). Attributes that the body takes from its caller are
// filled in. Control edges to and from a call become edges to and from its body's nodes. An output
// that is a call is kept as an Identity or IdentityN of the call's name, another node to be kept as
// a NoOp. Functional control flow (While, If, Case) and calls
// that XLA must compile are kept. Nothing outside the calls changes; run prune() to drop nodes that
// are no longer needed.
//
// `ops` determines the ports of outputs of a body's nodes; null: only ops without numbered outputs
// are known. With `keeps_calls` only calls that the outputs do not need are inlined: those that
// fill tables when the model is loaded.
//
// Fails if a function calls itself, if a body is incomplete, or if it uses the outputs of an
// unknown op.
Result<Model> inline_calls(const Model& model, const Ends& ends, bool keeps_calls,
                           const OpRegistry* ops, Diagnostics& diagnostics);

// The same for these calls of the main graph alone: calls in their bodies remain calls.
Result<Model> inline_only(const Model& model, const std::vector<std::string>& calls,
                          const Ends& ends, const OpRegistry& ops, Diagnostics& diagnostics);

// Like inline_calls(), and also lowers functional control flow to the nodes of TensorFlow 1
// (passes/inline/lower.h), in the bodies of calls too. With `keeps_calls` only the calls of lowered
// branches and loops are inlined.
Result<Model> lower_control_flow(const Model& model, const Ends& ends, bool keeps_calls,
                                 const OpRegistry* ops, Diagnostics& diagnostics);

}  // namespace cryo
