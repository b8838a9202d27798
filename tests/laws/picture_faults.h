#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "picture/picture.h"

namespace cryo::laws {

// Returns what is wrong with a picture: boxes outside of theirs, siblings that overlap, labels that
// do not fit, edges that end elsewhere or lead up, nodes that are missing.
std::vector<std::string> picture_faults(const Picture& picture);

// The inputs that cross between nodes that have a box of their own. REQUIRES: everything is open,
// and the graph calls no function.
uint64_t crossing_inputs(const Graph& graph, const Picture& picture);

// Siblings whose order differs, of those that both pictures have.
std::vector<std::string> moved_siblings(const Picture& before, const Picture& after);

}  // namespace cryo::laws
