#include "passes/freeze/redundant_control_inputs.h"

#include <algorithm>

#include "graph/edges.h"
#include "graph/node_editor.h"

namespace cryo {
namespace {

class IdleNodes {
 public:
  explicit IdleNodes(const Graph& graph)
      : nodes_(graph.nodes()), edges_(graph.index().edges()), states_(nodes_.size(), kUnknown) {
    for (uint32_t i = 0; i < nodes_.size(); ++i) settle(i);
  }

  bool waits_for_nothing(const Edge& edge) const {
    return edge.control && edge.node != kNoNode && states_[edge.node] == kIdle;
  }
  const Edges& edges() const { return edges_; }

 private:
  enum State : char { kUnknown, kBusy, kIdle };
  bool can_idle(std::string_view op) const {
    return op == "Const" || op == "Identity" || op == "NoOp";
  }
  void settle(uint32_t start);

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  std::vector<State> states_;  // kBusy also while it is not known: a cycle is never idle
};

// Depth first, inputs before the node; the stack is ours, for chains may be long.
void IdleNodes::settle(uint32_t start) {
  std::vector<std::pair<uint32_t, size_t>> stack;  // node, next input
  const auto enter = [&](uint32_t node) {
    if (states_[node] != kUnknown) return;
    states_[node] = kBusy;
    if (can_idle(nodes_[node].op)) stack.emplace_back(node, 0);
  };
  enter(start);
  while (!stack.empty()) {
    const uint32_t node = stack.back().first;
    const auto inputs = edges_.inputs(node);
    if (stack.back().second < inputs.size()) {
      const uint32_t input = inputs[stack.back().second++].node;
      if (input != kNoNode) enter(input);
      continue;
    }
    const bool idle = std::all_of(inputs.begin(), inputs.end(), [&](const Edge& edge) {
      return edge.node != kNoNode && states_[edge.node] == kIdle;
    });
    if (idle) states_[node] = kIdle;
    stack.pop_back();
  }
}

}  // namespace

Model without_redundant_control_inputs(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const IdleNodes idle(model.graph);
  GraphBuilder builder(model.graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto inputs = idle.edges().inputs(i);
    const bool changes = std::any_of(inputs.begin(), inputs.end(), [&](const Edge& edge) {
      return idle.waits_for_nothing(edge);
    });
    if (!changes) {
      builder.add(nodes[i]);
      continue;
    }
    NodeEditor editor(nodes[i]);
    std::vector<std::string> kept;
    for (size_t at = 0; at < inputs.size(); ++at) {
      if (!idle.waits_for_nothing(inputs[at])) kept.push_back(std::move(editor.inputs()[at]));
    }
    builder.add(editor.set_inputs(std::move(kept)).finish());
  }
  builder.add_functions_of(model.graph);
  Model without = model;
  without.graph = builder.finish();
  return without;
}

}  // namespace cryo
