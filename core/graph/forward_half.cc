#include "graph/forward_half.h"

#include <algorithm>
#include <array>
#include <utility>

#include "graph/roles.h"

namespace cryo {
namespace {

// Telling labels from inputs walks the graph once for each placeholder; beyond this many, a graph
// has no labels worth telling.
constexpr size_t kMaxPlaceholders = 64;

constexpr std::array<std::string_view, 14> kReshapes = {
    "Reshape",  "Shape",   "Size",       "Rank", "Slice",        "StridedSlice", "Pack",
    "ConcatV2", "Squeeze", "ExpandDims", "Cast", "StopGradient", "Range",        "ArgMax"};

// On the way from a prediction to a loss, and seldom a prediction themselves.
constexpr std::array<std::string_view, 11> kLossOps = {
    "Square", "SquaredDifference", "Mean", "Sum", "Sub", "Neg", "Log", "L2Loss", "Abs", "AddN",
    "Pow"};

constexpr std::array<std::string_view, 4> kLossWords = {"loss", "cost", "cross_entropy", "xent"};

bool is_named_loss(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  return std::any_of(kLossWords.begin(), kLossWords.end(), [&](std::string_view word) {
    return last.find(word) != std::string_view::npos;
  });
}

// Where a label meets a prediction, or soon after.
bool judges(const Node& node) {
  return std::find(kLossOps.begin(), kLossOps.end(), node.op) != kLossOps.end() ||
         node.op == "Equal" || node.op == "NotEqual" || node.op == "ArgMax" ||
         node.op.starts_with("InTopK") || node.op.starts_with("CTC") ||
         node.op.find("CrossEntropy") != std::string_view::npos || is_named_loss(node.name);
}

bool is_shape_op(std::string_view op) {
  return op == "Shape" || op == "ShapeN" || op == "Size" || op == "Rank" || op == "VariableShape";
}

// Computes no value of its own: another form of its input, its greatest element, or numbers about
// its shape.
bool only_reshapes(const Node& node) {
  constexpr int kInt32 = 3;
  const bool counts = node.op == "Sub" || node.op == "Add" || node.op == "Mul" || node.op == "Prod";
  return std::find(kReshapes.begin(), kReshapes.end(), node.op) != kReshapes.end() ||
         (counts && type_attr(node, "T") == kInt32);
}

}  // namespace

ForwardHalf::ForwardHalf(const Graph& graph)
    : nodes_(graph.nodes()),
      names_(nodes_),
      edges_(nodes_, names_),
      consumers_(edges_),
      weighted_(nodes_.size(), false),
      of_shapes_(nodes_.size(), false),
      excluded_(nodes_.size(), false) {
  find_weights();
  find_shapes();
  exclude_training();
  exclude_after_steps();
  exclude_labels();
  exclude_losses();
  exclude_border();
}

// Variables, and what reads them or hands them on.
void ForwardHalf::find_weights() {
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (is_variable(nodes_[i].op)) queue.push_back(i);
  }
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (weighted_[node]) continue;
    weighted_[node] = true;
    for (const Consumer& consumer : consumers_.of(node)) {
      const std::string_view op = nodes_[consumer.node].op;
      const bool reads = op == "ReadVariableOp" || is_pass_through(op);
      if (reads && !consumer.control) queue.push_back(consumer.node);
    }
  }
}

// Shape -> StridedSlice -> Mul -> ..., with constants on the way.
void ForwardHalf::find_shapes() {
  // Inputs that are neither constants nor of shapes, as far as is known.
  std::vector<uint32_t> others(nodes_.size(), 0);
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (is_shape_op(nodes_[i].op)) queue.push_back(i);
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

// What waits for a step of training belongs to it: slim's train_op, say, is an Identity of the loss
// behind the steps. What a graph made of a function returns is its output all the same.
void ForwardHalf::exclude_after_steps() {
  std::vector<uint32_t> queue;
  std::vector<bool> seen(nodes_.size(), false);
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (is_training_step(nodes_[i].op)) queue.push_back(i);
  }
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (seen[node] || nodes_[node].op == "_Retval") continue;
    seen[node] = excluded_[node] = true;
    for (const Consumer& consumer : consumers_.of(node)) queue.push_back(consumer.node);
  }
}

void ForwardHalf::exclude_training() {
  std::vector<uint32_t> saving;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    excluded_[i] = in_gradients(nodes_[i].name) || is_side_effect(nodes_[i].op);
    if (is_saver_op(nodes_[i].op)) saving.push_back(i);
  }
  // What waits for a save (save/control_dependency) is the saver's as well, and so is where the
  // file's name comes from.
  for (const uint32_t save : saving) {
    for (const Consumer& consumer : consumers_.of(save)) excluded_[consumer.node] = true;
    exclude_file_name(save);
  }
}

// save/filename/input -> save/filename -> save/Const -> the saver's op.
void ForwardHalf::exclude_file_name(uint32_t saver) {
  uint32_t node = saver;
  while (!edges_.inputs(node).empty()) {
    const Edge& first = edges_.inputs(node)[0];
    if (first.node == kNoNode || excluded_[first.node]) return;
    const std::string_view op = nodes_[first.node].op;
    if (!is_placeholder(op) && op != "Const" && op != "StringJoin") return;
    excluded_[node = first.node] = true;
  }
}

bool ForwardHalf::takes_weight(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Edge& edge) {
    return !edge.control && edge.node != kNoNode && weighted_[edge.node];
  });
}

// The starts and all of the forward half that their values reach; where not `behind_losses`, up to
// what judges predictions.
std::vector<uint32_t> ForwardHalf::descendants(std::vector<uint32_t> starts,
                                               bool behind_losses) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<uint32_t> order = std::move(starts);
  for (const uint32_t start : order) seen[start] = true;
  for (size_t i = 0; i < order.size(); ++i) {
    if (!behind_losses && judges(nodes_[order[i]])) continue;
    for (const Consumer& consumer : consumers_.of(order[i])) {
      if (consumer.control || seen[consumer.node] || excluded_[consumer.node]) continue;
      seen[consumer.node] = true;
      order.push_back(consumer.node);
    }
  }
  return order;
}

// `predicted`: by node, whether a weight's value reaches it.
bool ForwardHalf::shapes_prediction(uint32_t placeholder,
                                    const std::vector<bool>& predicted) const {
  const std::vector<uint32_t> reached = descendants({placeholder}, false);
  return std::any_of(reached.begin(), reached.end(), [&](uint32_t node) {
    return predicted[node] && is_sink(node) && !judges(nodes_[node]);
  });
}

// A placeholder that never meets a weight is a label: what it reaches is a loss or a metric. Only
// where there are weights, and some other placeholder does meet one.
void ForwardHalf::exclude_labels() {
  std::vector<uint32_t> weights;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (weighted_[i]) weights.push_back(i);
  }
  std::vector<bool> predicted(nodes_.size(), false);
  for (const uint32_t node : descendants(std::move(weights), true)) predicted[node] = true;
  std::vector<std::vector<uint32_t>> labels;
  bool has_input = false;
  size_t looked_at = 0;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!is_placeholder(nodes_[i].op) || excluded_[i] || ++looked_at > kMaxPlaceholders) continue;
    std::vector<uint32_t> reached = descendants({i}, true);
    const bool meets = std::any_of(reached.begin(), reached.end(),
                                   [&](uint32_t node) { return takes_weight(node); });
    has_input = has_input || meets;
    if (!meets && !shapes_prediction(i, predicted)) labels.push_back(std::move(reached));
  }
  if (!has_input) return;
  for (const std::vector<uint32_t>& reached : labels) {
    for (const uint32_t node : reached) excluded_[node] = true;
  }
}

bool ForwardHalf::is_sink(uint32_t node) const {
  if (excluded_[node] || weighted_[node]) return false;
  const auto consumers = consumers_.of(node);
  return std::none_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
    // What an update takes is an initial value or a step, not a prediction.
    return !consumer.control && (!excluded_[consumer.node] || is_update(nodes_[consumer.node].op));
  });
}

// Where a graph trains, what ends in a node called a loss is one, also without labels.
void ForwardHalf::exclude_losses() {
  trains_ = std::any_of(nodes_.begin(), nodes_.end(),
                        [](const Node& node) { return in_gradients(node.name); });
  for (uint32_t i = 0; trains_ && i < nodes_.size(); ++i) {
    if (is_sink(i) && is_named_loss(nodes_[i].name)) losses_.push_back(i);
  }
  for (const uint32_t loss : losses_) excluded_[loss] = true;
}

bool ForwardHalf::leads_to_loss(const Node& node) const {
  const bool loss_op = std::find(kLossOps.begin(), kLossOps.end(), node.op) != kLossOps.end();
  return only_reshapes(node) || (trains_ && loss_op);
}

// Between the prediction and a loss or a metric, TensorFlow reshapes the prediction or takes its
// class: such nodes are the loss's, from the far end on.
void ForwardHalf::exclude_border() {
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) queue.push_back(i);
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (!is_sink(node) || !leads_to_loss(nodes_[node]) || consumers_.of(node).empty()) continue;
    excluded_[node] = true;
    for (const Edge& edge : edges_.inputs(node)) {
      if (edge.node != kNoNode) queue.push_back(edge.node);
    }
  }
}

std::vector<uint32_t> ForwardHalf::sinks() const {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (is_sink(i)) found.push_back(i);
  }
  return found.empty() ? losses_ : found;
}

uint32_t ForwardHalf::ancestors(uint32_t node) const {
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
