#pragma once

#include "graph/node_attrs.h"
#include "validate/graph/findings.h"
#include "wire/payloads.h"

namespace cryo {

// Checks the value of a Const. Import refuses an invalid shape. Only a run finds a type other than
// `dtype`, and too few or too many bytes.
void check_constant(const Node& node, const NodeAttrs& attrs, const Payloads& payloads,
                    const Reporter& reporter);

}  // namespace cryo
