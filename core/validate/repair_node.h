#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/edges.h"
#include "graph/op_registry.h"
#include "validate/graph/repairs.h"
#include "validate/repair.h"

namespace cryo {

// A NodeDef with all its repairs done, each told. `names`: the nodes of its graph.
std::string mended_node(const Node& node, std::span<const Repair> repairs, const NodeNames& names,
                        const OpRegistry& ops, std::vector<Repaired>& repaired);

}  // namespace cryo
