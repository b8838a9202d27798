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

// `scope`: in a function's body, what placeholders stand for.
std::optional<FunctionCall> call_of(const Node& node, const KnownOp& known, const AttrScope* scope);

// Checks a call against the function's signature. Import refuses only too few inputs and outputs.
void check_call(const Node& node, const FunctionCall& call, const LibraryFunction& target,
                const AttrScope& scope, KnownOps& ops, const Reporter& reporter);

// The functions that an If, a Case or a While names, against what it hands to them and takes from
// them: running minds, import does not.
void check_branches(const Node& node, const AttrScope& scope, KnownOps& ops,
                    const Reporter& reporter);

}  // namespace cryo
