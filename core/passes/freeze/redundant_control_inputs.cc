#include "passes/freeze/redundant_control_inputs.h"

#include <algorithm>

#include "graph/node_editor.h"
#include "graph/walk.h"

namespace cryo {
namespace {

bool can_idle(std::string_view op) { return op == "Const" || op == "Identity" || op == "NoOp"; }

// Returns the nodes that run at once: all that they wait for is such a node. A cycle has none.
NodeSet idle_nodes(const Graph& graph) {
  const std::vector<Node>& nodes = graph.nodes();
  const Edges& edges = graph.index().edges();
  std::vector<size_t> waits_for;
  for (uint32_t i = 0; i < nodes.size(); ++i) waits_for.push_back(edges.inputs(i).size());
  const auto sources = nodes_where(nodes.size(), [&](uint32_t node) {
    return waits_for[node] == 0 && can_idle(nodes[node].op);
  });
  return walk_forward(edges, sources, [&](uint32_t, const Consumer& consumer) {
    return --waits_for[consumer.node] == 0 && can_idle(nodes[consumer.node].op);
  });
}

}  // namespace

Model without_redundant_control_inputs(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const NodeSet idle = idle_nodes(model.graph);
  const auto waits_for_nothing = [&](const Edge& edge) {
    return edge.control && edge.node != kNoNode && idle[edge.node];
  };
  GraphBuilder builder(model.graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto inputs = model.graph.index().edges().inputs(i);
    const bool changes = std::any_of(inputs.begin(), inputs.end(), waits_for_nothing);
    if (!changes) {
      builder.add(nodes[i]);
      continue;
    }
    NodeEditor editor(nodes[i]);
    std::vector<std::string> kept;
    for (size_t at = 0; at < inputs.size(); ++at) {
      if (!waits_for_nothing(inputs[at])) kept.push_back(std::move(editor.inputs()[at]));
    }
    builder.add(editor.set_inputs(std::move(kept)).finish());
  }
  builder.add_functions_of(model.graph);
  Model without = model;
  without.graph = builder.finish();
  return without;
}

}  // namespace cryo
