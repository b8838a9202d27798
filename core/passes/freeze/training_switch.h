#pragma once

#include <string>
#include <vector>

#include "graph/edges.h"

namespace cryo {

// Finds the bool, fed or of a variable, by which a node does not run, or runs another branch:
//
//     is_training: Placeholder --> Switch --:1--> ... --> Assign      "is_training=false"
//     is_training: Placeholder --> If                                 "is_training=false"
//
// Empty where the node hangs on none.
std::string value_against(const std::vector<Node>& nodes, const Edges& edges, uint32_t node);

}  // namespace cryo
