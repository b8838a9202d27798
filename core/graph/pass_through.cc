#include "graph/pass_through.h"

namespace cryo {

Edge skip_pass_through(const std::vector<Node>& nodes, const Edges& edges, Edge tensor, int most,
                       bool (*hands_on)(std::string_view op)) {
  for (int step = 0; step < most && tensor.node != kNoNode; ++step) {
    const auto inputs = edges.inputs(tensor.node);
    if (inputs.empty() || !hands_on(nodes[tensor.node].op)) break;
    tensor = inputs[0];
  }
  return tensor;
}

}  // namespace cryo
