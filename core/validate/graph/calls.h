#pragma once

#include <optional>
#include <vector>

#include "graph/node_attrs.h"
#include "validate/graph/library.h"

namespace cryo {

// A node that calls a function: PartitionedCall, StatefulPartitionedCall, or a function's name as
// its op.
struct FunctionCall {
  std::string_view function;
  std::vector<Attr> attrs;  // the attributes of the call
  bool followed = true;     // import looks into the body; not with `_disable_call_shape_inference`
};

// `scope`: in a function's body, the values of placeholders.
std::optional<FunctionCall> call_of(const Node& node, const KnownOp& known, const AttrScope* scope);

// Checks a call against the function's signature. Import refuses only too few inputs and outputs.
void check_call(const Node& node, const FunctionCall& call, const LibraryFunction& target,
                const AttrScope& scope, KnownOps& ops, const Reporter& reporter);

// Checks the functions that an If, a Case or a While names against the types that it passes and
// receives. A run fails on a mismatch, import does not.
void check_branches(const Node& node, const AttrScope& scope, KnownOps& ops,
                    const Reporter& reporter);

}  // namespace cryo
