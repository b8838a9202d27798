#pragma once

#include <vector>

#include "graph/edges.h"
#include "graph/graph.h"

namespace cryo {

// Returns a graph without some of its nodes, each of which at most passes its input 0 on. Consumers
// of its output take that input instead, and inherit its control inputs.
//
//     before  x --> gone --> y            after  x --> y
//             c --(control)--^                   c --(control)--^
//
// A control edge from it becomes one from its input. If it has no output, its consumers need not
// wait for its data inputs, except within control flow of TensorFlow 1, where the edge may be the
// only one that makes a node dead with its branch.
//
// A colocation with a removed node is removed.
//
// `gone`: for each node. REQUIRES: those with an output have input 0, a data edge.
Graph bypass(const Graph& graph, const Edges& edges, const std::vector<bool>& gone);

}  // namespace cryo
