#pragma once

#include <string>
#include <vector>

#include "graph/edges.h"
#include "passes/pass.h"

namespace cryo {

// Fails with "not-in-graph" where one of these tensors, as a person names them ("Split:4"), is an
// output that its node does not have. Nodes that the graph lacks, and ops that `ops` does not know,
// are not looked at.
Status check_ports(const Model& model, const NodeNames& names,
                   const std::vector<std::string>& tensors, const OpRegistry* ops);

}  // namespace cryo
