#include "graph/analysis/inference_subgraph.h"

#include <algorithm>
#include <utility>

#include "graph/analysis/inference_exclusions.h"
#include "graph/analysis/training_frames.h"

namespace cryo {
namespace {

// Each node after those whose values it takes, loops taken once.
std::vector<uint32_t> data_order(const GraphFacts& graph) {
  std::vector<uint32_t> waits_for(graph.nodes.size(), 0);
  std::vector<uint32_t> order;
  order.reserve(graph.nodes.size());
  for (uint32_t i = 0; i < graph.count(); ++i) {
    for (const Edge& edge : data_inputs(graph.edges, i)) {
      waits_for[i] += graph.has(edge.node, kNext) ? 0U : 1U;
    }
    if (waits_for[i] == 0) order.push_back(i);
  }
  for (size_t at = 0; at < order.size(); ++at) {
    if (graph.has(order[at], kNext)) continue;
    for (const Consumer& consumer : graph.consumers.of(order[at])) {
      if (!consumer.control && --waits_for[consumer.node] == 0) order.push_back(consumer.node);
    }
  }
  return order;
}

NodeSet fed_by(const std::vector<FedTensor>& sources, const NodeSet& excluded) {
  NodeSet fed(excluded.size());
  const bool all_scalar = std::all_of(sources.begin(), sources.end(),
                                      [](const FedTensor& source) { return source.is_scalar; });
  for (const FedTensor& source : sources) {
    if (!excluded[source.node] && (all_scalar || !source.is_scalar)) fed[source.node] = true;
  }
  return fed;
}

// Sets the measures of a node from those of its data inputs.
void measure(const GraphFacts& graph, const NodeSet& excluded, uint32_t node, NodeMeasures& of) {
  uint32_t depth = 0;
  for (const Edge& edge : data_inputs(graph.edges, node)) {
    depth = std::max(depth, of.depth[edge.node]);
    if (of.fed[edge.node] && !excluded[node]) of.fed[node] = true;
    if (of.in_loop[edge.node] || graph.has(node, kEnter)) of.in_loop[node] = true;
  }
  if (graph.has(node, kExit)) of.in_loop[node] = false;
  of.depth[node] = depth + (graph.is_layer(node) ? 1 : 0);
}

// A tensor of a loop that makes the steps of a training may be an output: the loop is removed.
void leave_training_loops(const GraphFacts& graph, NodeSet& in_loop) {
  const Frames frames = find_frames(graph.nodes, graph.edges, graph.consumers);
  const std::vector<bool> training = training_frames(graph.nodes, frames);
  for (uint32_t i = 0; i < graph.count(); ++i) {
    const uint32_t frame = frames.of[i];
    if (frame != kUnknownFrame && training[frame]) in_loop[i] = false;
  }
}

// The values of a loop's body come out of it in the second round, those of a loop within it in the
// third.
NodeMeasures measure_all(const GraphFacts& graph, const NodeSet& excluded, NodeSet fed) {
  constexpr int kRounds = 3;
  const size_t count = graph.nodes.size();
  NodeMeasures of{std::move(fed), NodeSet(count), NodeSet(count), std::vector<uint32_t>(count)};
  const std::vector<uint32_t> order = data_order(graph);
  const bool has_loops = graph.any_has(kNext);
  for (int round = 0; round < (has_loops ? kRounds : 1); ++round) {
    for (const uint32_t node : order) measure(graph, excluded, node, of);
  }
  if (has_loops && graph.any_has(kReadsPipeline)) leave_training_loops(graph, of.in_loop);
  for (size_t at = order.size(); at-- > 0;) {
    const uint32_t node = order[at];
    const bool is_layer = graph.is_layer(node) && !excluded[node];
    if (!is_layer && !of.before_layer[node]) continue;
    for (const Edge& edge : data_inputs(graph.edges, node)) of.before_layer[edge.node] = true;
  }
  return of;
}

}  // namespace

InferenceSubgraph inference_subgraph(const GraphIndex& index) {
  GraphFacts graph = graph_facts(index);
  InferenceSubgraph found;
  NodeSet& excluded = found.excluded;
  excluded = training_nodes(graph);
  add_all(excluded, nodes_after_updates(graph));
  add_all(excluded, nodes_after_steps(graph));
  add_all(excluded, nodes_for_updates(graph, excluded));
  add_all(excluded, discriminator_nodes(graph, excluded));
  const std::vector<FedTensor> sources = find_sources(graph, excluded);
  add_all(excluded, label_nodes(graph, sources, excluded));
  const GraphLosses losses = find_losses(graph, excluded);
  for (const uint32_t loss : losses.nodes) excluded[loss] = true;
  exclude_border(graph, losses.errors, excluded);

  found.measures = measure_all(graph, excluded, fed_by(sources, excluded));
  found.updates = results_of_updates(graph);
  found.sinks = nodes_where(graph.nodes.size(),
                            [&](uint32_t node) { return is_sink(graph, excluded, node); });
  if (found.sinks.empty()) found.sinks = losses.nodes.empty() ? found.updates : losses.nodes;
  found.trains = graph.trains;
  found.has_variables = graph.any_has(kVariable);
  found.has_pipeline = graph.any_has(kReadsPipeline | kDecodes);
  found.takes_weights = std::move(graph.takes_weights);
  found.of_shapes = std::move(graph.of_shapes);
  return found;
}

}  // namespace cryo
