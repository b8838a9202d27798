#include "passes/optimize/known_tensors.h"

#include <algorithm>

#include "base/text.h"
#include "graph/analysis/frames.h"
#include "graph/roles.h"

namespace cryo {
namespace {

// Elements of all tensors together: 32 MB.
constexpr size_t kMaxInAll = size_t{4} << 20;

// The op repeats its input: a constant in its place may be much larger.
bool repeats(std::string_view op) {
  return op == "Fill" || op == "Tile" || op == "BroadcastTo" || op == "ZerosLike" ||
         op == "OnesLike";
}
constexpr size_t kMaxRepeatedElements = 256;

}  // namespace

TensorShapes KnownTensors::asked_shapes(const Graph& graph) {
  TensorShapes shapes;
  const std::vector<Node>& nodes = graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!measures(nodes[i].op)) continue;
    const auto inputs = graph.index().edges().inputs(i);
    if (inputs.empty() || inputs[0].node == kNoNode || inputs[0].control) continue;
    shapes[{inputs[0].node, inputs[0].port}];
  }
  return shapes;
}

KnownTensors::KnownTensors(const Graph& graph, const Payloads& payloads, Arithmetic arithmetic,
                           size_t most, TensorShapes shapes)
    : graph_(graph),
      nodes_(graph.nodes()),
      edges_(graph.index().edges()),
      payloads_(payloads),
      arithmetic_(arithmetic),
      most_(most),
      shapes_(std::move(shapes)) {
  const auto branches = [](const Node& node) { return is_switch(node.op); };
  has_branches_ = std::any_of(nodes_.begin(), nodes_.end(), branches);
  const Frames frames = find_frames(nodes_, edges_, graph_.index().consumers());
  for (const uint32_t node : frames.order) visit(node);
}

const KnownTensor* KnownTensors::of(const Edge& tensor) const {
  if (tensor.control || tensor.port != 0) return nullptr;
  const auto found = values_.find(tensor.node);
  return found == values_.end() ? nullptr : &found->second.tensor;
}

bool KnownTensors::is_computed(uint32_t node) const {
  const std::string_view op = nodes_[node].op;
  if (op == "Const" || is_pass_through(op)) return false;
  const KnownTensor* tensor = of({node, 0});
  if (tensor == nullptr || (repeats(op) && tensor->count() > kMaxRepeatedElements)) return false;
  return is_wholly_known(*tensor);
}

void KnownTensors::visit(uint32_t node) {
  const std::string_view op = nodes_[node].op;
  std::optional<KnownTensor> tensor;
  if (op == "Const") {
    tensor = is_used(node) ? constant(node) : std::nullopt;
  } else if (can_evaluate(op)) {
    tensor = computed(node);
    if (!tensor && measures(op)) tensor = measured(node);
  }
  if (!tensor || tensor->count() > kMaxInAll - elements_) return;
  elements_ += tensor->count();
  Value value{std::move(*tensor)};
  add_controls(node, value);
  values_.emplace(node, std::move(value));
}

// A constant is not read for exact values if nothing can be computed of its consumers.
bool KnownTensors::is_used(uint32_t node) const {
  if (arithmetic_ == Arithmetic::kDouble) return true;
  const auto consumers = graph_.index().consumers().of(node);
  return std::any_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
    return !consumer.control && can_evaluate(nodes_[consumer.node].op);
  });
}

void KnownTensors::add_controls(uint32_t node, Value& value) const {
  for (const Edge& input : edges_.inputs(node)) {
    if (input.node == kNoNode) continue;
    const auto known = input.control ? values_.end() : values_.find(input.node);
    if (known != values_.end()) {
      value.controls.insert(known->second.controls.begin(), known->second.controls.end());
    } else if (input.control || has_branches_) {
      value.controls.insert(cat("^", nodes_[input.node].name));
    }
  }
}

std::optional<KnownTensor> KnownTensors::constant(uint32_t node) const {
  const Result<Tensor> tensor =
      read_tensor(tensor_attr(nodes_[node], "value").value_or(""), payloads_);
  return tensor ? read_known(*tensor, most_) : std::nullopt;
}

// Shape, Size and Rank of a tensor whose shape is known in part. A control edge from a Switch would
// not make their constant dead.
std::optional<KnownTensor> KnownTensors::measured(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  if (inputs.empty() || inputs[0].node == kNoNode || inputs[0].control) return std::nullopt;
  if (is_switch(nodes_[inputs[0].node].op)) return std::nullopt;
  const auto found = shapes_.find({inputs[0].node, inputs[0].port});
  if (found == shapes_.end()) return std::nullopt;
  return cryo::measured(nodes_[node], found->second);
}

std::optional<KnownTensor> KnownTensors::computed(uint32_t node) const {
  std::vector<const KnownTensor*> inputs;
  for (const Edge& input : edges_.inputs(node)) {
    if (input.control) continue;
    const KnownTensor* known = of(input);
    if (known == nullptr) return std::nullopt;
    inputs.push_back(known);
  }
  return evaluate(nodes_[node], inputs, arithmetic_, most_);
}

}  // namespace cryo
