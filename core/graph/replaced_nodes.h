#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace cryo {

// Returns the graph with new NodeDefs in the places of some nodes, by their index, and further
// nodes after all. Functions and all other fields are those of `graph`.
Graph with_replaced_nodes(const Graph& graph, const std::map<uint32_t, std::string>& replaced,
                          const std::vector<std::string>& added = {});

}  // namespace cryo
