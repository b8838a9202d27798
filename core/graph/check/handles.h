#pragma once

#include "graph/check/findings.h"
#include "graph/edges.h"

namespace cryo {

// Reads of resource variables, in a main graph: a read has the variable's type. (TensorFlow tells
// it with the shapes; it needs none.)
void check_handles(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter);

}  // namespace cryo
