#pragma once

#include "graph/graph.h"
#include "wire/payloads.h"

namespace cryo {

// Returns true if TensorFlow treats the second function as a copy of the first (and drops it),
// rather than as another function of the same name. It ignores the order of nodes, attributes and
// control inputs, and attributes that begin with '_'. A body with two nodes of one name is not even
// equal to itself. Tensors are equal only if their bytes are.
bool same_function(const Function& a, const Function& b, const Payloads& payloads);

}  // namespace cryo
