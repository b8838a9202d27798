// Known values of tensors that determine shapes: constants, and combinations of them.
#include <algorithm>
#include <limits>

#include "tensor/content.h"
#include "validate/shape/shape_walk.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Limit on the elements of a value that states a shape; longer ones are unknown.
constexpr uint64_t kMostInts = 256;

// Limits on the steps back from a value, and on the nodes visited for one.
constexpr int kMostSteps = 8;
constexpr int kMostNodes = 300;

constexpr uint64_t kMostElements = std::numeric_limits<int32_t>::max();

bool is_small(int64_t value) { return value == static_cast<int32_t>(value); }

// Returns true if a Pack makes a vector of scalars.
bool is_along_first(const Node& pack) {
  const auto axis = find_attr(pack, "axis");
  const AttrValue along(axis.value_or(""));
  return !axis || (along.kind() == AttrKind::kInt && along.number() == 0);
}

// A small constant of integers. `broken`: its bytes do not fit its type and shape.
std::optional<KnownInts> ints_of(const Node& constant, const Payloads& payloads, bool& broken) {
  const auto message = tensor_attr(constant, "value");
  if (!message) return std::nullopt;
  const auto tensor = read_tensor(*message, payloads);
  broken = !tensor && tensor.error().code != "unsupported-dtype";
  if (!tensor || tensor->count > kMostInts || tensor->shape.dims.size() > 1) return std::nullopt;
  if (type_attr(constant, "dtype") != static_cast<int>(tensor->dtype)) return std::nullopt;
  auto values = integers_of(*tensor);
  if (!values) return std::nullopt;
  return KnownInts{tensor->shape.dims.empty(), std::move(*values)};
}

}  // namespace

// Range(start, limit, delta).
std::optional<KnownInts> ShapeWalk::range(uint32_t node, bool* broken) const {
  int64_t bounds[3] = {0, 0, 0};
  const auto inputs = inputs_of(node);
  for (size_t i = 0; i < 3; ++i) {
    const bool there = i < inputs.size() && inputs[i].node != kNoNode;
    const auto known = there && graph_.nodes[inputs[i].node].op == "Const" ? ints(inputs[i], broken)
                                                                           : std::nullopt;
    if (!known || !known->scalar || known->values[0] != static_cast<int32_t>(known->values[0])) {
      return std::nullopt;
    }
    bounds[i] = known->values[0];
  }
  KnownInts known;
  for (int64_t at = bounds[0]; bounds[2] > 0 && at < bounds[1]; at += bounds[2]) {
    if (known.values.size() == kMostInts) return std::nullopt;
    known.values.push_back(at);
  }
  return bounds[2] > 0 ? std::optional<KnownInts>(std::move(known)) : std::nullopt;
}

// Returns the source of a tensor, before nodes that pass it on unchanged.
std::optional<Edge> ShapeWalk::source_of(const Edge& edge) const {
  Edge at = edge;
  for (int steps = 0; steps < kMostSteps && at.node != kNoNode; ++steps) {
    if (graph_.nodes[at.node].op != "Identity" || inputs_of(at.node).empty()) break;
    at = inputs_of(at.node)[0];
  }
  if (at.node == kNoNode || at.control) return std::nullopt;
  return at;
}

// Returns the value of a tensor. After an Identity, or in another graph, TensorFlow tries to
// compute the value, and ignores a failure.
std::optional<KnownInts> ShapeWalk::ints(const Edge& edge, bool* broken) const {
  int steps = kMostNodes;
  const bool direct = edge.node != kNoNode && graph_.nodes[edge.node].op == "Const";
  const auto at = direct ? std::nullopt : source_of(edge);
  if (at && graph_.nodes[at->node].op == "Range") return range(at->node, broken);
  if (!direct || edge.control) return value_of(edge, steps);
  bool broken_here = false;
  auto known = ints_of(graph_.nodes[edge.node], work_.payloads, broken_here);
  if (broken && broken_here) *broken = true;
  return known;
}

std::optional<KnownInts> ShapeWalk::value_of(const Edge& edge, int& steps) const {
  const auto at = --steps < 0 ? std::nullopt : source_of(edge);
  if (!at) return std::nullopt;
  if (const auto outside = argument(*at)) return outer_->value_of(*outside, steps);
  const Node& node = graph_.nodes[at->node];
  bool broken = false;
  if (node.op == "Const") return ints_of(node, work_.payloads, broken);
  const auto inputs = inputs_of(at->node);
  if (inputs.empty() || inputs.back().control || at->port != 0) return std::nullopt;
  if (node.op == "Range") return range(at->node, nullptr);
  if (node.op == "Shape" || node.op == "Rank" || node.op == "Size") return of_shape(at->node);
  if (node.op == "Pack") return packed_ints(at->node, steps);
  if (node.op == "Fill") return filled(at->node, steps);
  return arithmetic(at->node, steps);
}

// Returns the value of Shape, Rank or Size of a tensor whose shape is known.
std::optional<KnownInts> ShapeWalk::of_shape(uint32_t node) const {
  const std::string_view op = graph_.nodes[node].op;
  const Shape& shape = shape_of(inputs_of(node)[0]);
  if (shape.unknown_rank) return std::nullopt;
  const auto rank = static_cast<int64_t>(shape.dims.size());
  if (op == "Rank") return KnownInts{true, {rank}};
  if (!is_fully_defined(shape) || shape.dims.size() > kMostInts) return std::nullopt;
  if (op == "Shape") return KnownInts{false, shape.dims};
  const auto count = element_count(shape);
  if (!count || *count > kMostElements) return std::nullopt;
  return KnownInts{true, {static_cast<int64_t>(*count)}};
}

// Scalars, one after the other.
std::optional<KnownInts> ShapeWalk::packed_ints(uint32_t node, int& steps) const {
  if (!is_along_first(graph_.nodes[node])) return std::nullopt;
  KnownInts all;
  for (const Edge& input : inputs_of(node)) {
    const auto one = value_of(input, steps);
    if (!one || !one->scalar) return std::nullopt;
    all.values.push_back(one->values[0]);
  }
  return all;
}

// Fill(dims, value), of a scalar or vector.
std::optional<KnownInts> ShapeWalk::filled(uint32_t node, int& steps) const {
  const auto inputs = inputs_of(node);
  if (inputs.size() != 2) return std::nullopt;
  const auto dims = value_of(inputs[0], steps);
  const auto value = dims ? value_of(inputs[1], steps) : std::nullopt;
  if (!value || !value->scalar || dims->scalar || dims->values.size() > 1) return std::nullopt;
  const int64_t count = dims->values.empty() ? 1 : dims->values[0];
  if (count < 0 || count > static_cast<int64_t>(kMostInts)) return std::nullopt;
  const std::vector<int64_t> all(static_cast<size_t>(count), value->values[0]);
  return KnownInts{dims->values.empty(), all};
}

// Add, Sub and Mul, element by element.
std::optional<KnownInts> ShapeWalk::arithmetic(uint32_t node, int& steps) const {
  const std::string_view op = graph_.nodes[node].op;
  const bool adds = op == "Add" || op == "AddV2";
  if (!adds && op != "Sub" && op != "Mul") return std::nullopt;
  const auto inputs = inputs_of(node);
  if (inputs.size() != 2) return std::nullopt;
  const auto a = value_of(inputs[0], steps);
  const auto b = a ? value_of(inputs[1], steps) : std::nullopt;
  if (!b || a->values.empty() || b->values.empty()) return std::nullopt;
  const size_t count = std::max(a->values.size(), b->values.size());
  if ((!a->scalar && a->values.size() != count) || (!b->scalar && b->values.size() != count)) {
    return std::nullopt;
  }
  KnownInts result{a->scalar && b->scalar, {}};
  for (size_t i = 0; i < count; ++i) {
    const int64_t x = a->values[a->scalar ? 0 : i];
    const int64_t y = b->values[b->scalar ? 0 : i];
    if (!is_small(x) || !is_small(y)) return std::nullopt;
    result.values.push_back(adds ? x + y : op == "Sub" ? x - y : x * y);
    if (!is_small(result.values.back())) return std::nullopt;  // exceeds 32 bits
  }
  return result;
}

std::optional<KnownConstant> ShapeWalk::constant(const Edge& edge) const {
  if (edge.control || edge.node == kNoNode || graph_.nodes[edge.node].op != "Const") {
    return std::nullopt;
  }
  const auto message = tensor_attr(graph_.nodes[edge.node], "value");
  if (!message) return std::nullopt;
  KnownConstant known;
  for (WireCursor cursor(*message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::TensorProto::kDtype)
      known.dtype = static_cast<DType>(static_cast<int>(field.value));
  }
  const auto shape = parse_shape(last_bytes(*message, fields::TensorProto::kTensorShape), true);
  if (!shape || !is_fully_defined(*shape)) return std::nullopt;
  const auto count = element_count(*shape);
  if (!count) return std::nullopt;
  known.count = *count;
  return known;
}

// Returns the shape that a tensor's value gives: a constant, the shape of another tensor, or a
// combination.
std::optional<Shape> ShapeWalk::as_shape(const Edge& edge, int steps) const {
  if (edge.control || edge.node == kNoNode || steps > kMostSteps) return std::nullopt;
  const std::string_view op = graph_.nodes[edge.node].op;
  const auto inputs = inputs_of(edge.node);
  if (const auto known = ints(edge)) {
    const bool negative = std::any_of(known->values.begin(), known->values.end(),
                                      [](int64_t size) { return size < kUnknownDim; });
    if (known->scalar || negative) return std::nullopt;
    return Shape{false, known->values};
  }
  if ((op == "Shape" || op == "Identity" || op == "Cast") && !inputs.empty()) {
    if (op != "Shape") return as_shape(inputs[0], steps + 1);
    const Shape& of = shape_of(inputs[0]);
    return of.unknown_rank ? std::nullopt : std::optional<Shape>(of);
  }
  if (inputs.size() > kMostInts) return std::nullopt;
  if (op == "ConcatV2") return concatenated(edge.node, steps);
  if (op == "Pack") return packed(edge.node);
  return std::nullopt;
}

// Concatenates vectors, whose axis can only be one. Parts that are concatenations are not followed.
std::optional<Shape> ShapeWalk::concatenated(uint32_t node, int steps) const {
  std::optional<Shape> all = Shape{};
  const auto inputs = inputs_of(node);
  for (size_t i = 0; i + 1 < inputs.size() && all && !inputs[i + 1].control; ++i) {
    const auto part = as_shape(inputs[i], steps + kMostSteps);
    all = part ? std::optional<Shape>(joined(*all, *part)) : std::nullopt;
  }
  return all;
}

std::optional<Shape> ShapeWalk::packed(uint32_t node) const {
  if (!is_along_first(graph_.nodes[node])) return std::nullopt;
  Shape shape;
  for (const Edge& input : inputs_of(node)) {
    if (input.control) break;
    const auto one = ints(input);
    const bool size = one && one->scalar && one->values[0] >= 0;
    shape.dims.push_back(size ? one->values[0] : kUnknownDim);
  }
  return shape;
}

}  // namespace cryo
