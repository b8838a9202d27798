#pragma once

#include "graph/graph.h"
#include "wire/payloads.h"

namespace cryo {

// Whether TensorFlow takes the second for a copy of the first (and drops it), rather than for
// another function of the same name: the order of nodes, of attributes and of control inputs is not
// looked at, nor are attributes that begin with '_'; a body with two nodes of one name is not even
// the same as itself. Tensors count as the same only if they are written alike.
bool same_function(const Function& a, const Function& b, const Payloads& payloads);

}  // namespace cryo
