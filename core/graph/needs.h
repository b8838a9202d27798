#pragma once

#include <vector>

#include "graph/edges.h"

namespace cryo {

// Returns the reason why each node is needed: the consumer on a shortest path to one of the
// outputs; an output has itself; kNoNode if no output needs the node. Outputs that are kNoNode are
// skipped.
std::vector<uint32_t> needed_by(const Edges& edges, const std::vector<uint32_t>& outputs);

// "w -> conv -> logits", along needed_by().
std::string path_text(const std::vector<Node>& nodes, const std::vector<uint32_t>& needed_by,
                      uint32_t node);

}  // namespace cryo
