#pragma once

#include <vector>

#include "graph/graph.h"

namespace cryo {

// Returns the library functions that the nodes name, directly or through other functions' bodies
// and gradients, in the library's order. A node of a body may name its gradient by its registered
// name (_gradient_op_type); TensorFlow looks for no such gradient of the main graph's nodes.
std::vector<Function> functions_needed(const std::vector<Node>& nodes, const Graph& graph);

// Returns true if a function calls itself, directly or through others, or if its body cannot be
// read.
bool is_recursive(const Function& function, const Graph& graph);

}  // namespace cryo
