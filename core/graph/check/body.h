#pragma once

#include "graph/check/findings.h"
#include "graph/check/library.h"
#include "graph/node_attrs.h"

namespace cryo {

// The body of a library function, with the attributes it is called with: what TensorFlow finds when
// it instantiates the function. Inside a body it looks for less than in a main graph: not at ranges
// of attributes, deprecation or colocation.
//
// Call it for one function after the other; the calls inside are the caller's to follow.
void check_body(const LibraryFunction& function, const AttrScope& scope, KnownOps& ops,
                const Payloads& payloads, const Reporter& reporter);

}  // namespace cryo
