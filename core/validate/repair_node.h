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

// Reports that a node which is there twice is there once.
Repaired removed_copy(const Repair& repair);

// Returns a NodeDef with all its repairs made, and reports each. `names`: the nodes of its graph.
std::string repaired_node(const Node& node, std::span<const Repair> repairs, const NodeNames& names,
                          const OpRegistry& ops, std::vector<Repaired>& repaired);

}  // namespace cryo
