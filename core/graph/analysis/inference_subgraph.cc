#include "graph/analysis/inference_subgraph.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "graph/analysis/output_names.h"
#include "graph/analysis/training_frames.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"

namespace cryo {
InferenceSubgraph::InferenceSubgraph(const GraphIndex& graph)
    : nodes_(graph.nodes()),
      names_(graph.names()),
      edges_(graph.edges()),
      consumers_(graph.consumers()),
      weighted_(nodes_.size(), false),
      of_shapes_(nodes_.size(), false),
      errors_(nodes_.size(), false),
      excluded_(nodes_.size(), false),
      shown_(nodes_.size(), false),
      fed_(nodes_.size(), false),
      depths_(nodes_.size(), 0),
      before_layer_(nodes_.size(), false),
      in_loop_(nodes_.size(), false),
      layers_(nodes_.size(), false) {
  find_facts();
  find_weights();
  find_shapes();
  exclude_training();
  exclude_results_of_updates();
  exclude_after_steps();
  exclude_fed_to_updates();
  exclude_discriminators();
  find_sources();
  exclude_labels();
  exclude_losses();
  exclude_border();
  measure_all();
}

// A graph has many nodes of few ops. Names are read here, next to the ops, while they are in the
// processor's cache.
void InferenceSubgraph::find_facts() {
  std::unordered_map<std::string_view, OpFacts> known;
  facts_.reserve(nodes_.size());
  gradients_.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    const auto [found, is_new] = known.try_emplace(node.op, 0);
    if (is_new) found->second = facts_of(node.op);
    facts_.push_back(found->second);
    has_pipeline_ = has_pipeline_ || (found->second & (kReadsPipeline | kDecodes)) != 0;
    has_variables_ = has_variables_ || (found->second & kVariable) != 0;
    gradients_.push_back(in_gradients(node.name));
    trains_ = trains_ || gradients_.back();
  }
}

// Finds variables, and the nodes that read them or hand them on.
void InferenceSubgraph::find_weights() {
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (has(i, kVariable)) queue.push_back(i);
  }
  weighted_ =
      reached(std::move(queue), [&](uint32_t node) { return has(node, kReads | kPassesOn); });
}

std::vector<bool> InferenceSubgraph::reached(std::vector<uint32_t> starts,
                                             FunctionRef<bool(uint32_t)> takes) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<uint32_t> queue = std::move(starts);
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    for (const Consumer& consumer : consumers_.of(node)) {
      if (!consumer.control && takes(consumer.node)) queue.push_back(consumer.node);
    }
  }
  return seen;
}

// Shape -> StridedSlice -> Mul -> ..., with constants on the way.
void InferenceSubgraph::find_shapes() {
  // Inputs that are neither constants nor of shapes, as far as is known.
  std::vector<uint32_t> others(nodes_.size(), 0);
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (has(i, kAsksShape)) queue.push_back(i);
    for (const Edge& edge : edges_.inputs(i)) {
      const bool constant = edge.node != kNoNode && nodes_[edge.node].op == "Const";
      others[i] += !edge.control && !constant;
    }
  }
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (of_shapes_[node]) continue;
    of_shapes_[node] = true;
    for (const Consumer& consumer : consumers_.of(node)) {
      if (!consumer.control && --others[consumer.node] == 0) queue.push_back(consumer.node);
    }
  }
}

bool InferenceSubgraph::takes_weight(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Edge& edge) {
    return !edge.control && edge.node != kNoNode && weighted_[edge.node];
  });
}

bool InferenceSubgraph::is_layer_node(uint32_t node) const {
  return !weighted_[node] && (has(node, kLayer) || takes_weight(node));
}

// Finds the sources. Each output of a pipeline's read is one of its own: one has the images,
// another the labels.
void InferenceSubgraph::find_sources() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (excluded_[i]) continue;
    if (has(i, kPlaceholder)) sources_.push_back({i, 0, is_scalar(nodes_[i])});
    if (!has(i, kReadsPipeline)) continue;
    std::vector<uint32_t> ports;
    for (const Consumer& consumer : consumers_.of(i)) {
      const bool known = std::find(ports.begin(), ports.end(), consumer.port) != ports.end();
      if (!consumer.control && !known) ports.push_back(consumer.port);
    }
    for (const uint32_t port : ports) sources_.push_back({i, port, false});
  }
}

// Returns the consumers of a source, including the source itself if it has one output.
std::vector<uint32_t> InferenceSubgraph::consumers_of(const Source& source) const {
  if (has(source.node, kPlaceholder)) return {source.node};
  std::vector<uint32_t> found;
  for (const Consumer& consumer : consumers_.of(source.node)) {
    const bool takes = !consumer.control && consumer.port == source.port;
    if (takes && !excluded_[consumer.node]) found.push_back(consumer.node);
  }
  return found;
}

// Returns the starts and all of the inference subgraph that their values reach. Stops at losses and
// metrics unless `behind_losses`.
std::vector<uint32_t> InferenceSubgraph::descendants(std::vector<uint32_t> starts,
                                                     bool behind_losses) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<uint32_t> order = std::move(starts);
  for (const uint32_t start : order) seen[start] = true;
  for (size_t i = 0; i < order.size(); ++i) {
    if (!behind_losses && judges(order[i])) continue;
    for (const Consumer& consumer : consumers_.of(order[i])) {
      if (consumer.control || seen[consumer.node] || excluded_[consumer.node]) continue;
      seen[consumer.node] = true;
      order.push_back(consumer.node);
    }
  }
  return order;
}

// `predicted`: by node, whether a weight's value reaches it.
bool InferenceSubgraph::shapes_prediction(const Source& source,
                                          const std::vector<bool>& predicted) const {
  const std::vector<uint32_t> reached = descendants(consumers_of(source), false);
  return std::any_of(reached.begin(), reached.end(), [&](uint32_t node) {
    return predicted[node] && is_sink(node) && !judges(node);
  });
}

bool InferenceSubgraph::is_sink(uint32_t node) const {
  if (excluded_[node] || weighted_[node]) return false;
  const auto consumers = consumers_.of(node);
  return std::none_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
    if (consumer.control || has(consumer.node, kAsksShape | kFills)) return false;
    // The input of an update is an initial value or a step, not a prediction.
    return !excluded_[consumer.node] || has(consumer.node, kTaker);
  });
}

void InferenceSubgraph::start_fed() {
  const bool all_scalar = std::all_of(sources_.begin(), sources_.end(),
                                      [](const Source& source) { return source.scalar; });
  for (const Source& source : sources_) {
    if (!excluded_[source.node] && (all_scalar || !source.scalar)) fed_[source.node] = true;
  }
}

// Each node after those whose values it takes, loops taken once.
std::vector<uint32_t> InferenceSubgraph::data_order() const {
  std::vector<uint32_t> waits_for(nodes_.size(), 0);
  std::vector<uint32_t> order;
  order.reserve(nodes_.size());
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const Edge& edge : edges_.inputs(i)) {
      const bool counts = !edge.control && edge.node != kNoNode && !has(edge.node, kNext);
      waits_for[i] += counts ? 1U : 0U;
    }
    if (waits_for[i] == 0) order.push_back(i);
  }
  for (size_t at = 0; at < order.size(); ++at) {
    if (has(order[at], kNext)) continue;
    for (const Consumer& consumer : consumers_.of(order[at])) {
      if (!consumer.control && --waits_for[consumer.node] == 0) order.push_back(consumer.node);
    }
  }
  return order;
}

// Sets the measures of a node from those of its data inputs.
void InferenceSubgraph::measure(uint32_t node) {
  uint32_t depth = 0;
  for (const Edge& edge : edges_.inputs(node)) {
    if (edge.control || edge.node == kNoNode) continue;
    depth = std::max(depth, depths_[edge.node]);
    if (fed_[edge.node] && !excluded_[node]) fed_[node] = true;
    if (in_loop_[edge.node] || has(node, kEnter)) in_loop_[node] = true;
  }
  if (has(node, kExit)) in_loop_[node] = false;
  depths_[node] = depth + (layers_[node] ? 1 : 0);
}

// A tensor of a loop that makes the steps of a training may be an output: the loop is what goes.
void InferenceSubgraph::leave_training_loops() {
  const Frames frames = find_frames(nodes_, edges_, consumers_);
  const std::vector<bool> training = training_frames(nodes_, frames);
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const uint32_t frame = frames.of[i];
    if (frame != kUnknownFrame && training[frame]) in_loop_[i] = false;
  }
}

// The values of a loop's body come out of it in the second round, those of a loop within it in the
// third.
void InferenceSubgraph::measure_all() {
  constexpr int kRounds = 3;
  start_fed();
  const std::vector<uint32_t> order = data_order();
  bool has_loops = false;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    layers_[i] = is_layer_node(i);
    has_loops = has_loops || has(i, kNext);
  }
  for (int round = 0; round < (has_loops ? kRounds : 1); ++round) {
    for (const uint32_t node : order) measure(node);
  }
  if (has_loops && has_pipeline_) leave_training_loops();
  for (size_t at = order.size(); at-- > 0;) {
    const uint32_t node = order[at];
    const bool is_layer = layers_[node] && !excluded_[node];
    if (!is_layer && !before_layer_[node]) continue;
    for (const Edge& edge : edges_.inputs(node)) {
      if (!edge.control && edge.node != kNoNode) before_layer_[edge.node] = true;
    }
  }
}

std::vector<uint32_t> InferenceSubgraph::sinks() const {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (is_sink(i)) found.push_back(i);
  }
  if (!found.empty()) return found;
  return losses_.empty() ? updates_ : losses_;
}

uint32_t InferenceSubgraph::ancestors(uint32_t node) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<uint32_t> order = {node};
  seen[node] = true;
  for (size_t i = 0; i < order.size(); ++i) {
    for (const Edge& edge : edges_.inputs(order[i])) {
      if (edge.node == kNoNode || seen[edge.node]) continue;
      seen[edge.node] = true;
      order.push_back(edge.node);
    }
  }
  return static_cast<uint32_t>(order.size());
}

}  // namespace cryo
