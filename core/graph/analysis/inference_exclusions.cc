#include "graph/analysis/inference_exclusions.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "graph/analysis/batch_error.h"
#include "graph/analysis/output_names.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

// Facts of ops that take inputs which are no predictions: an update, an enqueue, a data set.
constexpr OpFacts kTaker = kNoValue | kUpdates | kEnqueues;
// Facts of ops whose result is not used.
constexpr OpFacts kSideEffect = kNoValue | kUpdates | kSaves | kEffect;

// Finding labels walks the graph once for each input. A graph with more inputs than this has no
// labels that are worth finding.
constexpr size_t kMaxSources = 64;

bool counts_elements(std::string_view op) {
  return op == "Sub" || op == "Add" || op == "Mul" || op == "Prod";
}

// save/filename/input -> save/filename -> save/Const -> the saver's op.
void exclude_file_name(const GraphFacts& graph, uint32_t saver, NodeSet& excluded) {
  uint32_t node = saver;
  while (!graph.edges.inputs(node).empty()) {
    const Edge& first = graph.edges.inputs(node)[0];
    if (first.node == kNoNode || excluded[first.node]) return;
    const std::string_view op = graph.nodes[first.node].op;
    if (!is_placeholder(op) && op != "Const" && op != "StringJoin") return;
    excluded[node = first.node] = true;
  }
}

// "total/Assign" of the variable "total" sets its initial value; "save/Assign" restores it.
bool is_initializer(const GraphFacts& graph, uint32_t update) {
  const auto inputs = graph.edges.inputs(update);
  if (inputs.size() < 2 || inputs[0].node == kNoNode) return true;
  if (inputs[1].node == kNoNode || graph.has(inputs[1].node, kSaves)) return true;
  return graph.nodes[update].name == cat(graph.nodes[inputs[0].node].name, "/Assign");
}

bool judges(const GraphFacts& graph, uint32_t node) {
  return graph.has(node, kJudges) || is_named_loss(base_name(graph.nodes[node].name));
}

// Returns the starts and all of the inference subgraph that their values reach.
NodeSet descendants(const GraphFacts& graph, const NodeSet& excluded,
                    std::span<const uint32_t> starts) {
  return walk_forward(graph.edges, starts, [&](uint32_t, const Consumer& consumer) {
    return !consumer.control && !excluded[consumer.node];
  });
}

// The same, up to losses and metrics.
NodeSet descendants_before_losses(const GraphFacts& graph, const NodeSet& excluded,
                                  std::span<const uint32_t> starts) {
  const auto consumers = [&](uint32_t node) {
    return judges(graph, node) ? std::span<const Consumer>() : graph.consumers.of(node);
  };
  return walk(graph.nodes.size(), starts, consumers, [&](uint32_t, const Consumer& consumer) {
    return !consumer.control && !excluded[consumer.node];
  });
}

// Returns the consumers of a source, including the source itself if it has one output.
std::vector<uint32_t> consumers_of(const GraphFacts& graph, const NodeSet& excluded,
                                   const FedTensor& source) {
  if (graph.has(source.node, kPlaceholderOp)) return {source.node};
  std::vector<uint32_t> found;
  for (const Consumer& consumer : graph.consumers.of(source.node)) {
    const bool takes = !consumer.control && consumer.port == source.port;
    if (takes && !excluded[consumer.node]) found.push_back(consumer.node);
  }
  return found;
}

// Finds final nodes that are losses by their ops. Where no layer precedes it there is no
// prediction: the error itself is the result.
GraphLosses find_batch_errors(const GraphFacts& graph, const NodeSet& excluded) {
  const auto is_number = [&](uint32_t node) {
    const bool given =
        graph.nodes[node].op == "Const" || graph.has(node, kPlaceholderOp) || graph.weights[node];
    return graph.of_shapes[node] || (given && is_scalar(graph.nodes[node]));
  };
  const NodeSet after_layer = walk_forward(
      graph.edges,
      nodes_where(graph.nodes.size(), [&](uint32_t node) { return graph.is_layer(node); }),
      kDataEdge);
  GraphLosses losses{.errors = NodeSet(graph.nodes.size())};
  for (uint32_t i = 0; i < graph.count(); ++i) {
    if (!after_layer[i] || !is_sink(graph, excluded, i) || is_named_output(graph.nodes[i].name)) {
      continue;
    }
    const std::vector<uint32_t> error = batch_error(graph.nodes, graph.edges, is_number, i);
    if (error.empty()) continue;
    losses.nodes.push_back(i);
    for (const uint32_t node : error) losses.errors[node] = true;
  }
  return losses;
}

// Returns true if only summaries use the values computed from the node.
bool is_shown_only(const GraphFacts& graph, const NodeSet& shown, uint32_t node) {
  const auto consumers = graph.consumers.of(node);
  return std::all_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
    return consumer.control || graph.has(consumer.node, kSummary) || shown[consumer.node];
  });
}

bool leads_to_loss(const GraphFacts& graph, const NodeSet& errors, bool is_shown, uint32_t node) {
  constexpr int kInt32 = 3;
  const Node& at = graph.nodes[node];
  if (graph.has(node, kBranches)) return true;
  if (graph.is_layer(node) || is_named_output(at.name)) return false;
  if (errors[node]) return true;
  if (graph.has(node, kMinor) || (graph.trains && graph.has(node, kLossOp))) return true;
  if (is_shown && graph.has(node, kStatistic)) return true;
  if (counts_elements(at.op) && type_attr(at, "T") == kInt32) return true;
  return is_named_loss(at.name) || is_scalar(at);
}

}  // namespace

NodeSet training_nodes(const GraphFacts& graph) {
  NodeSet excluded = graph.gradients;
  for (const uint32_t node : graph.all_with(kSideEffect)) excluded[node] = true;
  // Nodes that wait for a save (save/control_dependency) belong to the saver as well, and so does
  // the source of the file's name.
  for (const uint32_t save : graph.all_with(kSaves)) {
    for (const Consumer& consumer : graph.consumers.of(save)) excluded[consumer.node] = true;
    exclude_file_name(graph, save, excluded);
  }
  return excluded;
}

std::vector<uint32_t> results_of_updates(const GraphFacts& graph) {
  return nodes_where(graph.nodes.size(), [&](uint32_t node) {
    return graph.has(node, kUpdates) && !graph.has(node, kStep) && !is_initializer(graph, node) &&
           !graph.gradients[node];
  });
}

NodeSet nodes_after_updates(const GraphFacts& graph) {
  return walk_forward(graph.edges, graph.all_with(kUpdates),
                      [&](uint32_t, const Consumer& consumer) {
                        return !consumer.control && !graph.has(consumer.node, kTakesRange) &&
                               graph.nodes[consumer.node].op != "_Retval";
                      });
}

NodeSet nodes_after_steps(const GraphFacts& graph) {
  return walk_forward(graph.edges, graph.all_with(kStep), [&](uint32_t, const Consumer& consumer) {
    return graph.nodes[consumer.node].op != "_Retval";
  });
}

// A node is looked at again whenever one of its consumers was added.
NodeSet nodes_for_updates(const GraphFacts& graph, const NodeSet& excluded) {
  std::vector<uint32_t> queue;
  NodeSet found(graph.nodes.size());
  const auto look_at_inputs = [&](uint32_t node) {
    for (const Edge& edge : graph.edges.inputs(node)) queue.push_back(edge.node);
  };
  for (const uint32_t taker : graph.all_with(kTaker)) look_at_inputs(taker);
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (node == kNoNode || found[node] || graph.weights[node] || excluded[node]) continue;
    const auto consumers = graph.consumers.of(node);
    const bool all = std::all_of(consumers.begin(), consumers.end(), [&](const Consumer& each) {
      return each.control || graph.has(each.node, kTaker) || found[each.node];
    });
    const bool predicts = graph.has(node, kLayer) || is_named_output(graph.nodes[node].name);
    if (!all || predicts || graph.has(node, kPlaceholderOp)) continue;
    found[node] = true;
    look_at_inputs(node);
  }
  return found;
}

NodeSet discriminator_nodes(const GraphFacts& graph, const NodeSet& excluded) {
  std::vector<uint32_t> judging;
  bool has_other_weights = false;
  for (uint32_t i = 0; graph.trains && i < graph.count(); ++i) {
    if (excluded[i]) continue;
    const bool inside = in_discriminator(graph.nodes[i].name);
    if (inside) judging.push_back(i);
    has_other_weights = has_other_weights || (!inside && graph.has(i, kVariable));
  }
  if (!has_other_weights) return NodeSet(graph.nodes.size());
  return descendants(graph, excluded, judging);
}

std::vector<FedTensor> find_sources(const GraphFacts& graph, const NodeSet& excluded) {
  std::vector<FedTensor> sources;
  for (uint32_t i = 0; i < graph.count(); ++i) {
    if (excluded[i]) continue;
    if (graph.has(i, kPlaceholderOp)) sources.push_back({i, 0, is_scalar(graph.nodes[i])});
    if (!graph.has(i, kReadsPipeline)) continue;
    std::vector<uint32_t> ports;
    for (const Consumer& consumer : graph.consumers.of(i)) {
      const bool known = std::find(ports.begin(), ports.end(), consumer.port) != ports.end();
      if (!consumer.control && !known) ports.push_back(consumer.port);
    }
    for (const uint32_t port : ports) sources.push_back({i, port, false});
  }
  return sources;
}

NodeSet label_nodes(const GraphFacts& graph, const std::vector<FedTensor>& sources,
                    const NodeSet& excluded) {
  const auto weights =
      nodes_where(graph.nodes.size(), [&](uint32_t node) { return graph.weights[node]; });
  NodeSet labels(graph.nodes.size());
  if (weights.empty()) return labels;
  const NodeSet predicted = descendants(graph, excluded, weights);
  bool has_input = false;
  for (size_t i = 0; i < sources.size() && i < kMaxSources; ++i) {
    const std::vector<uint32_t> starts = consumers_of(graph, excluded, sources[i]);
    const NodeSet reached = descendants(graph, excluded, starts);
    bool meets = false;
    for (uint32_t node = 0; node < graph.count() && !meets; ++node) {
      meets = reached[node] && graph.takes_weights[node];
    }
    has_input = has_input || meets;
    if (meets) continue;
    const NodeSet before_losses = descendants_before_losses(graph, excluded, starts);
    bool shapes_prediction = false;
    for (uint32_t node = 0; node < graph.count() && !shapes_prediction; ++node) {
      shapes_prediction = before_losses[node] && predicted[node] &&
                          is_sink(graph, excluded, node) && !judges(graph, node);
    }
    if (!shapes_prediction) add_all(labels, reached);
  }
  return has_input ? labels : NodeSet(graph.nodes.size());
}

bool is_sink(const GraphFacts& graph, const NodeSet& excluded, uint32_t node) {
  if (excluded[node] || graph.weights[node]) return false;
  const auto consumers = graph.consumers.of(node);
  return std::none_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
    if (consumer.control || graph.has(consumer.node, kAsksShape | kFills)) return false;
    // The input of an update is an initial value or a step, not a prediction.
    return !excluded[consumer.node] || graph.has(consumer.node, kTaker);
  });
}

// In a graph that trains, a final node named as a loss is one, also without labels. So is a single
// number that gradients or summaries take.
GraphLosses find_losses(const GraphFacts& graph, const NodeSet& excluded) {
  GraphLosses losses = find_batch_errors(graph, excluded);
  for (uint32_t i = 0; graph.trains && i < graph.count(); ++i) {
    if (!is_sink(graph, excluded, i)) continue;
    const bool single = !graph.consumers.of(i).empty() && is_scalar(graph.nodes[i]);
    if (single || is_named_loss(base_name(graph.nodes[i].name))) losses.nodes.push_back(i);
  }
  return losses;
}

void exclude_border(const GraphFacts& graph, const NodeSet& errors, NodeSet& excluded) {
  NodeSet shown(graph.nodes.size());  // only by summaries
  std::vector<uint32_t> queue = nodes_where(graph.nodes.size(), [](uint32_t) { return true; });
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    const auto consumers = graph.consumers.of(node);
    const bool taken = std::any_of(consumers.begin(), consumers.end(), [&](const Consumer& each) {
      return each.control || excluded[each.node];
    });
    if (!taken || !is_sink(graph, excluded, node)) continue;
    shown[node] = is_shown_only(graph, shown, node);
    if (!leads_to_loss(graph, errors, shown[node], node)) continue;
    excluded[node] = true;
    for (const Edge& edge : graph.edges.inputs(node)) {
      if (edge.node != kNoNode) queue.push_back(edge.node);
    }
  }
}

}  // namespace cryo
