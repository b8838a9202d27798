#pragma once

#include "graph/check/findings.h"
#include "graph/edges.h"

namespace cryo {

// Inputs that name nothing, and control inputs that do not come last; in a main graph.
void check_inputs(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter);

// Each "loc:@name" of `_class` names a node.
void check_colocation(const Node& node, const NodeNames& names, const Reporter& reporter);

}  // namespace cryo
