#pragma once

#include "graph/edges.h"
#include "graph/node_attrs.h"
#include "validate/graph/findings.h"

namespace cryo {

// Inputs that name nothing, and control inputs that do not come last or come twice; in a main
// graph.
void check_inputs(const std::vector<Node>& nodes, const Edges& edges, const NodeNames& names,
                  const Reporter& reporter);

// The control inputs of a node that come twice, in a graph or in a body.
void check_duplicate_controls(const Node& node, const Reporter& reporter);

// Each "loc:@name" of `_class` names a node. `attrs` are the node's.
void check_colocation(const Node& node, const NodeAttrs& attrs, const NodeNames& names,
                      const Reporter& reporter);

}  // namespace cryo
