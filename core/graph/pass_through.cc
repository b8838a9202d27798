#include "graph/pass_through.h"

#include <algorithm>

namespace cryo {

Edge skip_pass_through(const std::vector<Node>& nodes, const Edges& edges, Edge tensor, size_t most,
                       bool (*hands_on)(std::string_view op)) {
  for (size_t step = 0; step < most && tensor.node != kNoNode; ++step) {
    const auto inputs = edges.inputs(tensor.node);
    if (inputs.empty() || !hands_on(nodes[tensor.node].op)) break;
    tensor = inputs[0];
  }
  return tensor;
}

Edge skip_identities(const std::vector<Node>& nodes, const Edges& edges, Edge tensor, size_t most) {
  return skip_pass_through(nodes, edges, tensor, std::min(most, nodes.size()),
                           [](std::string_view op) { return op == "Identity"; });
}

}  // namespace cryo
