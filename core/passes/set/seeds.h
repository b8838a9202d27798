#pragma once

#include <string>
#include <vector>

#include "graph/edges.h"

namespace cryo {

// The constants that branches are folded from (passes/set/constant_propagation.h).

// Returns those that are set: "NAME=VALUE", of a variable the constant that its reads take.
std::vector<uint32_t> find_seeds(const NodeNames& names, const std::vector<std::string>& set);

// Returns those of which the conditions of Switch, Select, If and Case are computed.
std::vector<uint32_t> constants_of_conditions(const std::vector<Node>& nodes, const Edges& edges);

}  // namespace cryo
