// The steps that exclude nodes from an inference subgraph.

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "graph/analysis/batch_error.h"
#include "graph/analysis/inference_subgraph.h"
#include "graph/analysis/output_names.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

// Finding labels walks the graph once for each input. A graph with more inputs than this has no
// labels that are worth finding.
constexpr size_t kMaxSources = 64;

bool counts_elements(std::string_view op) {
  return op == "Sub" || op == "Add" || op == "Mul" || op == "Prod";
}

}  // namespace

// Excludes nodes that wait for a step of training, e.g. slim's train_op, an Identity of the loss
// after the steps. Return values of a graph made of a function are still its outputs.
void InferenceSubgraph::exclude_after_steps() {
  std::vector<uint32_t> queue;
  std::vector<bool> seen(nodes_.size(), false);
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (has(i, kStep)) queue.push_back(i);
  }
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (seen[node] || nodes_[node].op == "_Retval") continue;
    seen[node] = excluded_[node] = true;
    for (const Consumer& consumer : consumers_.of(node)) queue.push_back(consumer.node);
  }
}

void InferenceSubgraph::exclude_training() {
  std::vector<uint32_t> saving;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    excluded_[i] = has(i, kSideEffect) || gradients_[i];
    if (has(i, kSaves)) saving.push_back(i);
  }
  // Nodes that wait for a save (save/control_dependency) belong to the saver as well, and so does
  // the source of the file's name.
  for (const uint32_t save : saving) {
    for (const Consumer& consumer : consumers_.of(save)) excluded_[consumer.node] = true;
    exclude_file_name(save);
  }
}

// save/filename/input -> save/filename -> save/Const -> the saver's op.
void InferenceSubgraph::exclude_file_name(uint32_t saver) {
  uint32_t node = saver;
  while (!edges_.inputs(node).empty()) {
    const Edge& first = edges_.inputs(node)[0];
    if (first.node == kNoNode || excluded_[first.node]) return;
    const std::string_view op = nodes_[first.node].op;
    if (!is_placeholder(op) && op != "Const" && op != "StringJoin") return;
    excluded_[node = first.node] = true;
  }
}

// "total/Assign" of the variable "total" sets its initial value; "save/Assign" restores it.
bool InferenceSubgraph::is_initializer(uint32_t update) const {
  const auto inputs = edges_.inputs(update);
  if (inputs.size() < 2 || inputs[0].node == kNoNode) return true;
  if (inputs[1].node == kNoNode || has(inputs[1].node, kSaves)) return true;
  return nodes_[update].name == cat(nodes_[inputs[0].node].name, "/Assign");
}

// Excludes nodes that are computed only for updates and queues: a moving average, a step of an
// optimizer in plain arithmetic, preprocessing before a queue.
void InferenceSubgraph::exclude_fed_to_updates() {
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!has(i, kTaker)) continue;
    for (const Edge& edge : edges_.inputs(i)) queue.push_back(edge.node);
  }
  std::vector<bool> fed(nodes_.size(), false);
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (node == kNoNode || fed[node] || weighted_[node] || excluded_[node]) continue;
    const auto consumers = consumers_.of(node);
    const bool all = std::all_of(consumers.begin(), consumers.end(), [&](const Consumer& each) {
      return each.control || has(each.node, kTaker) || fed[each.node];
    });
    const bool predicts = has(node, kLayer) || is_named_output(nodes_[node].name);
    if (!all || predicts || has(node, kPlaceholder)) continue;
    fed[node] = excluded_[node] = true;
    for (const Edge& edge : edges_.inputs(node)) queue.push_back(edge.node);
  }
}

// A metric's `update_op` is computed from the sums that were just updated. Fake quantization, which
// takes its range of an update, is no such result: it has its input's values.
void InferenceSubgraph::exclude_results_of_updates() {
  std::vector<uint32_t> updating;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!has(i, kUpdates)) continue;
    updating.push_back(i);
    const bool wanted = !has(i, kStep) && !is_initializer(i) && !gradients_[i];
    if (wanted) updates_.push_back(i);
  }
  const std::vector<bool> results = reached(std::move(updating), [&](uint32_t node) {
    return nodes_[node].op != "_Retval" && !has(node, kTakesRange);
  });
  for (uint32_t i = 0; i < nodes_.size(); ++i) excluded_[i] = excluded_[i] || results[i];
}

// Excludes the discriminator of a GAN: its generator is the model. A graph with only a
// discriminator has no other weights.
void InferenceSubgraph::exclude_discriminators() {
  if (!trains_) return;
  std::vector<uint32_t> judging;
  bool has_other_weights = false;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (excluded_[i]) continue;
    const bool inside = in_discriminator(nodes_[i].name);
    if (inside) judging.push_back(i);
    has_other_weights = has_other_weights || (!inside && has(i, kVariable));
  }
  if (!has_other_weights) return;
  for (const uint32_t node : descendants(std::move(judging), true)) excluded_[node] = true;
}

bool InferenceSubgraph::judges(uint32_t node) const {
  return has(node, kJudges) || is_named_loss(base_name(nodes_[node].name));
}

// Excludes labels, if there are weights and some other input reaches one.
void InferenceSubgraph::exclude_labels() {
  std::vector<uint32_t> weights;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (weighted_[i]) weights.push_back(i);
  }
  if (weights.empty()) return;
  std::vector<bool> predicted(nodes_.size(), false);
  for (const uint32_t node : descendants(std::move(weights), true)) predicted[node] = true;
  std::vector<std::vector<uint32_t>> labels;
  bool has_input = false;
  for (size_t i = 0; i < sources_.size() && i < kMaxSources; ++i) {
    std::vector<uint32_t> reached = descendants(consumers_of(sources_[i]), true);
    const bool meets = std::any_of(reached.begin(), reached.end(),
                                   [&](uint32_t node) { return takes_weight(node); });
    has_input = has_input || meets;
    if (!meets && !shapes_prediction(sources_[i], predicted)) labels.push_back(std::move(reached));
  }
  if (!has_input) return;
  for (const std::vector<uint32_t>& reached : labels) {
    for (const uint32_t node : reached) excluded_[node] = true;
  }
}

// Layers, and the nodes that are computed from one.
std::vector<bool> InferenceSubgraph::after_layers() const {
  std::vector<uint32_t> layers;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (is_layer_node(i)) layers.push_back(i);
  }
  return reached(std::move(layers), [](uint32_t) { return true; });
}

// Finds final nodes that are losses by their ops, with or without labels and gradients. Where no
// layer precedes it there is no prediction: the error itself is the result.
void InferenceSubgraph::find_batch_errors() {
  const auto is_number = [&](uint32_t node) {
    const bool given = nodes_[node].op == "Const" || has(node, kPlaceholder) || weighted_[node];
    return of_shapes_[node] || (given && is_scalar(nodes_[node]));
  };
  const std::vector<bool> after_layer = after_layers();
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!after_layer[i] || !is_sink(i) || is_named_output(nodes_[i].name)) continue;
    const std::vector<uint32_t> error = batch_error(nodes_, edges_, is_number, i);
    if (error.empty()) continue;
    losses_.push_back(i);
    for (const uint32_t node : error) errors_[node] = true;
  }
}

// Excludes losses. In a graph that trains, a final node named as a loss is one, also without
// labels. So is a single number that gradients or summaries take.
void InferenceSubgraph::exclude_losses() {
  find_batch_errors();
  for (uint32_t i = 0; trains_ && i < nodes_.size(); ++i) {
    if (!is_sink(i)) continue;
    const bool single = !consumers_.of(i).empty() && is_scalar(nodes_[i]);
    if (single || is_named_loss(base_name(nodes_[i].name))) losses_.push_back(i);
  }
  for (const uint32_t loss : losses_) excluded_[loss] = true;
}

// Returns true if only summaries use the values computed from it.
bool InferenceSubgraph::is_shown_only(uint32_t node) const {
  const auto consumers = consumers_.of(node);
  return std::all_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
    return consumer.control || has(consumer.node, kSummary) || shown_[consumer.node];
  });
}

bool InferenceSubgraph::leads_to_loss(uint32_t node) const {
  constexpr int kInt32 = 3;
  const Node& at = nodes_[node];
  if (has(node, kBranches)) return true;
  if (is_layer_node(node) || is_named_output(at.name)) return false;
  if (errors_[node]) return true;
  if (has(node, kMinor) || (trains_ && has(node, kLossOp))) return true;
  if (shown_[node] && has(node, kStatistic)) return true;
  if (counts_elements(at.op) && type_attr(at, "T") == kInt32) return true;
  return is_named_loss(at.name) || is_scalar(at);
}

// Excludes the nodes between the prediction and a loss, a metric or a summary. TensorFlow reshapes
// the prediction there, or takes its class or its mean: such nodes belong to the loss, from the far
// end on.
void InferenceSubgraph::exclude_border() {
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) queue.push_back(i);
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    const auto consumers = consumers_.of(node);
    const bool taken = std::any_of(consumers.begin(), consumers.end(), [&](const Consumer& each) {
      return each.control || excluded_[each.node];
    });
    if (!taken || !is_sink(node)) continue;
    shown_[node] = is_shown_only(node);
    if (!leads_to_loss(node)) continue;
    excluded_[node] = true;
    for (const Edge& edge : edges_.inputs(node)) {
      if (edge.node != kNoNode) queue.push_back(edge.node);
    }
  }
}

}  // namespace cryo
