#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/edges.h"

namespace cryo {

// Follows a tensor back through nodes whose op hands its input 0 on, at most `most` of them: a
// limit ends loops. Returns the tensor where that ends; its node may be kNoNode.
//
//     w: VariableV2 --> w/read: Identity --> Squeeze      of Squeeze, through both: w
Edge skip_pass_through(const std::vector<Node>& nodes, const Edges& edges, Edge tensor, size_t most,
                       bool (*hands_on)(std::string_view op));

// The same through Identity nodes; by default through all of a graph's.
Edge skip_identities(const std::vector<Node>& nodes, const Edges& edges, Edge tensor,
                     size_t most = SIZE_MAX);

}  // namespace cryo
