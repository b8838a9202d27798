#include "graph/replaced_nodes.h"

namespace cryo {

Graph with_replaced_nodes(const Graph& graph, const std::map<uint32_t, std::string>& replaced,
                          const std::vector<std::string>& added) {
  const std::vector<Node>& nodes = graph.nodes();
  GraphBuilder builder(graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto node = replaced.find(i);
    node == replaced.end() ? builder.add(nodes[i]) : builder.add(node->second);
  }
  for (const std::string& node : added) builder.add(node);
  builder.add_functions_of(graph);
  return builder.finish();
}

}  // namespace cryo
