#include "graph/needs.h"

#include "base/text.h"

namespace cryo {

std::vector<uint32_t> needed_by(const Edges& edges, const std::vector<uint32_t>& outputs) {
  std::vector<uint32_t> by(edges.node_count(), kNoNode);
  std::vector<uint32_t> queue;
  for (const uint32_t output : outputs) {
    if (output == kNoNode || by[output] != kNoNode) continue;
    by[output] = output;
    queue.push_back(output);
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const Edge& edge : edges.inputs(queue[i])) {
      if (edge.node == kNoNode || by[edge.node] != kNoNode) continue;
      by[edge.node] = queue[i];
      queue.push_back(edge.node);
    }
  }
  return by;
}

std::string path_text(const std::vector<Node>& nodes, const std::vector<uint32_t>& needed_by,
                      uint32_t node) {
  std::vector<std::string> path = {std::string(nodes[node].name)};
  while (needed_by[node] != kNoNode && needed_by[node] != node) {
    node = needed_by[node];
    path.emplace_back(nodes[node].name);
  }
  return join(path, " -> ");
}

}  // namespace cryo
