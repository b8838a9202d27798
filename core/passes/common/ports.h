#pragma once

#include <string>
#include <vector>

#include "graph/edges.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// Fails with "not-in-graph" if one of these tensors, as a person names them ("Split:4"), is an
// output that its node does not have. Missing nodes, and ops that `ops` does not have, are not
// checked.
Status check_ports(const Model& model, const NodeNames& names,
                   const std::vector<std::string>& tensors, const OpRegistry* ops);

}  // namespace cryo
