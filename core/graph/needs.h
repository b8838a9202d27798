#pragma once

#include <vector>

#include "graph/edges.h"

namespace cryo {

// Why a node is needed: of each node the consumer through which a shortest way leads to one of the
// outputs; of an output itself; kNoNode of what no output needs. Outputs that are kNoNode are
// skipped.
std::vector<uint32_t> needed_by(const Edges& edges, const std::vector<uint32_t>& outputs);

// "w -> conv -> logits", along needed_by().
std::string path_text(const std::vector<Node>& nodes, const std::vector<uint32_t>& needed_by,
                      uint32_t node);

}  // namespace cryo
