#pragma once

#include <vector>

#include "graph/edges.h"
#include "graph/graph.h"

namespace cryo {

// A graph without some of its nodes, each of which at most hands its input 0 on: who took its
// output takes that input, and waits for what the node waited for.
//
//     before  x --> gone --> y            after  x --> y
//             c --(control)--^                   c --(control)--^
//
// A control edge from it becomes one from its input. Where it has no output, what it waited for by
// its data inputs need not be waited for, but within control flow of TensorFlow 1, where it may be
// all that says that a branch is alive.
//
// A colocation with one that went goes too.
//
// `gone`: of each node. REQUIRES: those with an output have input 0, a data edge.
Graph bypassed(const Graph& graph, const Edges& edges, const std::vector<bool>& gone);

}  // namespace cryo
