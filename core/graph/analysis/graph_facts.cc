#include "graph/analysis/graph_facts.h"

#include <algorithm>
#include <unordered_map>

#include "graph/roles.h"

namespace cryo {
namespace {

// A graph has many nodes of few ops. Names are read here, next to the ops, while they are in the
// processor's cache.
void find_facts(GraphFacts& graph) {
  std::unordered_map<std::string_view, OpFacts> known;
  graph.ops.reserve(graph.nodes.size());
  graph.gradients.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    const auto [found, is_new] = known.try_emplace(node.op, 0);
    if (is_new) found->second = facts_of(node.op);
    graph.ops.push_back(found->second);
    graph.gradients.push_back(in_gradients(node.name));
    graph.trains = graph.trains || graph.gradients.back();
  }
}

NodeSet weights_of(const GraphFacts& graph) {
  return walk_forward(graph.edges, graph.all_with(kVariable),
                      [&](uint32_t, const Consumer& consumer) {
                        return !consumer.control && graph.has(consumer.node, kReads | kPassesOn);
                      });
}

NodeSet takers_of(const Edges& edges, const NodeSet& weights) {
  NodeSet takers(weights.size());
  for (uint32_t i = 0; i < weights.size(); ++i) {
    for (const Edge& input : data_inputs(edges, i)) takers[i] = takers[i] || weights[input.node];
  }
  return takers;
}

// Shape -> StridedSlice -> Mul -> ..., with constants on the way.
NodeSet nodes_of_shapes(const GraphFacts& graph) {
  // Inputs that are neither constants nor of shapes, as far as is known.
  std::vector<uint32_t> others(graph.nodes.size(), 0);
  for (uint32_t i = 0; i < graph.count(); ++i) {
    for (const Edge& edge : graph.edges.inputs(i)) {
      const bool constant = edge.node != kNoNode && graph.nodes[edge.node].op == "Const";
      others[i] += !edge.control && !constant;
    }
  }
  const std::vector<uint32_t> starts = graph.all_with(kAsksShape);
  return walk_forward(graph.edges, starts, [&](uint32_t, const Consumer& consumer) {
    return !consumer.control && --others[consumer.node] == 0;
  });
}

}  // namespace

bool GraphFacts::any_has(OpFacts facts) const {
  return std::any_of(ops.begin(), ops.end(), [&](OpFacts each) { return (each & facts) != 0; });
}

std::vector<uint32_t> GraphFacts::all_with(OpFacts facts) const {
  return nodes_where(nodes.size(), [&](uint32_t node) { return has(node, facts); });
}

bool GraphFacts::is_layer(uint32_t node) const {
  return !weights[node] && (has(node, kLayer) || takes_weights[node]);
}

GraphFacts graph_facts(const GraphIndex& graph) {
  GraphFacts facts{graph.nodes(), graph.edges(), graph.consumers()};
  find_facts(facts);
  facts.weights = weights_of(facts);
  facts.takes_weights = takers_of(facts.edges, facts.weights);
  facts.of_shapes = nodes_of_shapes(facts);
  return facts;
}

}  // namespace cryo
