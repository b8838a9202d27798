#pragma once

#include <vector>

#include "graph/graph.h"

namespace cryo {

// The library functions that the nodes name, directly or through other functions' bodies and
// gradients, in the library's order.
std::vector<Function> functions_needed(const std::vector<Node>& nodes, const Graph& graph);

}  // namespace cryo
