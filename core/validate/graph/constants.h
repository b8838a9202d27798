#pragma once

#include "graph/node_attrs.h"
#include "validate/graph/findings.h"
#include "wire/payloads.h"

namespace cryo {

// The value of a Const: what import refuses (a shape that is none), and what only running finds
// (another type than `dtype` says, too few or too many bytes).
void check_constant(const Node& node, const NodeAttrs& attrs, const Payloads& payloads,
                    const Reporter& reporter);

}  // namespace cryo
