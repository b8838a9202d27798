#include "passes/inference/scalars.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "graph/evaluate/evaluate.h"
#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "tensor/content.h"
#include "tensor/number.h"

namespace cryo {
namespace {

constexpr int kMaxScalarDepth = 8;
constexpr size_t kMaxInputs = 4;  // of a node that computes a scalar

bool hands_on(std::string_view op) {
  return op == "Cast" || has_fact(op, kReads) || (is_pass_through(op) && !is_merge(op));
}

bool is_arithmetic(std::string_view op) {
  return is_one_of(op,
                   std::array<std::string_view, 6>{"Add", "AddV2", "Sub", "Mul", "RealDiv", "Div"});
}

bool has_no_dims(const Shape& shape) { return !shape.unknown_rank && shape.dims.empty(); }

}  // namespace

bool Scalars::is_scalar(const Edge& tensor, int depth) const {
  if (tensor.node == kNoNode || tensor.control || depth > kMaxScalarDepth) return false;
  const Node& node = nodes_[tensor.node];
  const Shape shape = output_shape(node, tensor.port);
  if (node.op == "Const" || is_variable(node.op)) return has_no_dims(shape);
  if (is_placeholder(node.op)) return shape.dims.empty();
  const auto inputs = edges_.inputs(tensor.node);
  if (hands_on(node.op)) return !inputs.empty() && is_scalar(inputs[0], depth + 1);
  return is_arithmetic(node.op) && inputs.size() >= 2 && is_scalar(inputs[0], depth + 1) &&
         is_scalar(inputs[1], depth + 1);
}

// Floats of 16 bits count as floats of 32.
std::optional<KnownTensor> Scalars::constant(uint32_t node) const {
  const Result<Tensor> tensor =
      read_tensor(tensor_attr(nodes_[node], "value").value_or(""), payloads_);
  if (!tensor || !has_no_dims(tensor->shape) || !is_number(tensor->dtype)) return std::nullopt;
  if (!is_16_bit(tensor->dtype)) return read_known(*tensor, 1);
  const Result<std::string> content = tensor->content.read_all();
  if (!content || content->size() != 2) return std::nullopt;
  return KnownTensor{DType::kFloat, {}, {}, {as_double(tensor->dtype, content->data())}};
}

std::optional<KnownTensor> Scalars::known(const Edge& tensor, int depth) const {
  if (tensor.node == kNoNode || tensor.control || depth > kMaxScalarDepth) return std::nullopt;
  const Node& node = nodes_[tensor.node];
  if (node.op == "Const") return constant(tensor.node);
  const auto edges = edges_.inputs(tensor.node);
  if (edges.empty() || edges.size() > kMaxInputs) return std::nullopt;
  if (node.op != "Cast" && hands_on(node.op)) return known(edges[0], depth + 1);
  if (!can_evaluate(node.op)) return std::nullopt;
  std::vector<KnownTensor> values;
  for (const Edge& input : edges) {
    if (input.control) break;
    auto value = known(input, depth + 1);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  if (values.empty()) return std::nullopt;
  const auto to = static_cast<DType>(type_attr(node, "DstT").value_or(0));
  if (node.op == "Cast" && is_16_bit(to) && values[0].is_real()) return values[0];
  std::vector<const KnownTensor*> inputs;
  for (const KnownTensor& value : values) inputs.push_back(&value);
  return evaluate(node, inputs, Arithmetic::kDouble, 1);
}

std::optional<double> Scalars::value(const Edge& tensor) const {
  const auto scalar = known(tensor, 0);
  if (!scalar || scalar->count() != 1 || !is_wholly_known(*scalar)) return std::nullopt;
  return scalar->is_real() ? scalar->real[0] : static_cast<double>(scalar->whole[0]);
}

Scalars::Source Scalars::source(Edge tensor) const {
  Source found;
  for (int depth = 0; depth < kMaxScalarDepth && tensor.node != kNoNode && !tensor.control;
       ++depth) {
    const Node& node = nodes_[tensor.node];
    if (is_placeholder(node.op) || is_variable(node.op)) return {tensor.node, found.from_one};
    const auto inputs = edges_.inputs(tensor.node);
    const bool from_one = node.op == "Sub" && inputs.size() > 1 && value(inputs[0]) == 1.0;
    if (inputs.empty() || !(from_one || hands_on(node.op))) break;
    found.from_one = found.from_one != from_one;
    tensor = inputs[from_one ? 1 : 0];
  }
  return {};
}

}  // namespace cryo
