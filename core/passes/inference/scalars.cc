#include "passes/inference/scalars.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "tensor/content.h"
#include "tensor/number.h"

namespace cryo {
namespace {

constexpr int kMaxScalarDepth = 8;

bool hands_on(std::string_view op) {
  return op == "Cast" || (is_pass_through(op) && !is_merge(op));
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
  if (node.op == "Const") return has_no_dims(shape);
  if (is_placeholder(node.op)) return shape.dims.empty();
  const auto inputs = edges_.inputs(tensor.node);
  if (hands_on(node.op)) return !inputs.empty() && is_scalar(inputs[0], depth + 1);
  return is_arithmetic(node.op) && inputs.size() >= 2 && is_scalar(inputs[0], depth + 1) &&
         is_scalar(inputs[1], depth + 1);
}

std::optional<double> Scalars::constant(uint32_t node) const {
  const Result<Tensor> tensor =
      read_tensor(tensor_attr(nodes_[node], "value").value_or(""), payloads_);
  const DTypeInfo* info = tensor ? find_dtype(tensor->dtype) : nullptr;
  if (info == nullptr || info->size == 0 || !has_no_dims(tensor->shape)) return std::nullopt;
  const Result<std::string> content = tensor->content.read_all();
  if (!content || content->size() != info->size) return std::nullopt;
  const Number number = number_at(tensor->dtype, content->data());
  const double size = number.whole ? static_cast<double>(number.magnitude) : number.real;
  return number.negative ? -size : size;
}

std::optional<double> Scalars::value(const Edge& tensor, int depth) const {
  if (tensor.node == kNoNode || tensor.control || depth > kMaxScalarDepth) return std::nullopt;
  const Node& node = nodes_[tensor.node];
  if (node.op == "Const") return constant(tensor.node);
  const auto inputs = edges_.inputs(tensor.node);
  if (inputs.empty()) return std::nullopt;
  const std::optional<double> a = value(inputs[0], depth + 1);
  if (hands_on(node.op) || !a) return a;
  const auto b = inputs.size() > 1 ? value(inputs[1], depth + 1) : std::nullopt;
  if (!is_arithmetic(node.op) || !b) return std::nullopt;
  if (node.op.starts_with("Add")) return *a + *b;
  if (node.op == "Sub") return *a - *b;
  return node.op == "Mul" ? *a * *b : *a / *b;
}

Scalars::Source Scalars::source(Edge tensor) const {
  Source found;
  for (int depth = 0; depth < kMaxScalarDepth && tensor.node != kNoNode && !tensor.control;
       ++depth) {
    const Node& node = nodes_[tensor.node];
    if (is_placeholder(node.op)) return {tensor.node, found.from_one};
    const auto inputs = edges_.inputs(tensor.node);
    const bool from_one = node.op == "Sub" && inputs.size() > 1 && value(inputs[0]) == 1.0;
    if (inputs.empty() || !(from_one || hands_on(node.op))) break;
    found.from_one = found.from_one != from_one;
    tensor = inputs[from_one ? 1 : 0];
  }
  return {};
}

}  // namespace cryo
