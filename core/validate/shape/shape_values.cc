// Known values of tensors that determine shapes: constants, and combinations of them.
#include <algorithm>
#include <array>

#include "graph/evaluate/evaluate.h"
#include "graph/pass_through.h"
#include "tensor/content.h"
#include "validate/shape/shape_walk.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Limit on the elements of a value; of more, it is unknown.
constexpr uint64_t kMaxInts = 256;

// Limit on the dimensions of a shape.
constexpr size_t kMaxListedDims = 254;

// Limit on identities before a tensor.
constexpr int kMaxFollowed = 8;

// Limit on the tensors that are looked at for one shape.
constexpr int kMaxParts = 1000;

// Limit on the elements of all values together; of more, they are unknown.
constexpr size_t kMaxInAll = size_t{4} << 20;

// Returns true if a Pack makes a vector of scalars.
bool is_along_first(const Node& pack) {
  const auto axis = find_attr(pack, "axis");
  const AttrValue along(axis.value_or(""));
  return !axis || (along.kind() == AttrKind::kInt && along.number() == 0);
}

// A small constant. `broken`: its bytes do not fit its type and shape.
std::optional<KnownTensor> read_constant(const Node& constant, const Payloads& payloads,
                                         bool& broken) {
  const auto message = tensor_attr(constant, "value");
  if (!message) return std::nullopt;
  const auto tensor = read_tensor(*message, payloads);
  broken = !tensor && tensor.error().code != "unsupported-dtype";
  if (!tensor || type_attr(constant, "dtype") != static_cast<int>(tensor->dtype)) {
    return std::nullopt;
  }
  return read_known(*tensor, kMaxInts);
}

std::optional<KnownInts> ints_of(std::optional<KnownTensor> tensor) {
  if (!tensor || tensor->is_real() || tensor->dtype == DType::kBool) return std::nullopt;
  if (!is_wholly_known(*tensor)) return std::nullopt;
  return KnownInts{tensor->dims.size(), std::move(tensor->whole)};
}

}  // namespace

// Returns the source of a tensor, before nodes that pass it on unchanged.
std::optional<Edge> ShapeWalk::source_of(const Edge& edge) const {
  const Edge at = skip_identities(graph_.nodes, graph_.edges, edge, kMaxFollowed);
  if (at.node == kNoNode || at.control) return std::nullopt;
  return at;
}

// Returns the value of a tensor. After an Identity, or in another graph, TensorFlow tries to
// compute the value, and ignores a failure.
std::optional<KnownInts> ShapeWalk::ints(const Edge& edge, bool* broken) const {
  const bool direct = edge.node != kNoNode && graph_.nodes[edge.node].op == "Const";
  if (!direct || edge.control) return ints_of(value_of(edge));
  bool broken_here = false;
  auto known = read_constant(graph_.nodes[edge.node], work_.payloads, broken_here);
  if (broken && broken_here) *broken = true;
  return ints_of(std::move(known));
}

std::optional<KnownTensor> ShapeWalk::value_of(const Edge& edge) const {
  const auto at = source_of(edge);
  if (!at) return std::nullopt;
  if (const auto outside = argument(*at)) return outer_.walk->value_of(*outside);
  const Node& node = graph_.nodes[at->node];
  bool broken = false;
  if (node.op == "Const") return read_constant(node, work_.payloads, broken);
  if (!is_computed(*at)) return std::nullopt;
  if (!computed_.values.contains(at->node)) compute(at->node);
  return computed_.values.at(at->node);
}

// Returns true if a tensor may have a value that is computed from those of its node's inputs.
bool ShapeWalk::is_computed(const Edge& edge) const {
  if (edge.control || edge.node == kNoNode || edge.port != 0) return false;
  if (outer_.body && edge.node < outer_.body->args) return false;
  const auto inputs = inputs_of(edge.node);
  return !inputs.empty() && !inputs.back().control && can_evaluate(graph_.nodes[edge.node].op);
}

// Computes the value of a node and of all that it needs, each once.
void ShapeWalk::compute(uint32_t node) const {
  struct Step {
    uint32_t node;
    bool has_inputs;
  };
  std::vector<Step> waiting = {{node, false}};
  while (!waiting.empty()) {
    const Step step = waiting.back();
    waiting.pop_back();
    if (step.has_inputs) {
      auto value = computed(step.node);
      if (!value || value->count() > kMaxInAll - computed_.elements) continue;
      computed_.elements += value->count();
      computed_.values[step.node] = std::move(value);
      continue;
    }
    if (!computed_.values.emplace(step.node, std::nullopt).second)
      continue;  // known, or in a cycle
    waiting.push_back({step.node, true});
    if (measures(graph_.nodes[step.node].op)) continue;
    for (const Edge& input : inputs_of(step.node)) {
      const auto source = source_of(input);
      if (source && is_computed(*source)) waiting.push_back({source->node, false});
    }
  }
}

std::optional<KnownTensor> ShapeWalk::computed(uint32_t node) const {
  const Node& of = graph_.nodes[node];
  const auto inputs = inputs_of(node);
  if (measures(of.op)) return measured(of, shape_of(inputs[0]));
  // One size of a shape may be known where others are not.
  const bool picks_one =
      of.op == "StridedSlice" && int_attr(of, "shrink_axis_mask").value_or(0) == 1;
  std::vector<KnownTensor> values;
  for (const Edge& input : inputs) {
    const auto source = source_of(input);
    if (!source) return std::nullopt;
    const bool here = is_computed(*source);
    auto value = here ? computed_.values.at(source->node) : value_of(*source);
    if (!value || !(picks_one || is_wholly_known(*value))) return std::nullopt;
    values.push_back(std::move(*value));
  }
  std::vector<const KnownTensor*> pointers;
  for (const KnownTensor& value : values) pointers.push_back(&value);
  return evaluate(of, pointers, Arithmetic::kExact, kMaxInts);
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

Shape ShapeWalk::as_shape(const Edge& edge) const {
  int parts = kMaxParts;
  return shape_at(edge, parts);
}

// Follows ShapeRefiner::ConstantPartialShape (tensorflow/core/common_runtime/shape_refiner.cc).
Shape ShapeWalk::shape_at(const Edge& edge, int& parts) const {
  if (edge.control || edge.node == kNoNode || --parts < 0) return unknown_shape();
  if (const auto known = ints(edge)) {
    const bool negative = std::any_of(known->values.begin(), known->values.end(),
                                      [](int64_t size) { return size < kUnknownDim; });
    return known->rank != 1 || negative ? unknown_shape() : Shape{false, known->values};
  }
  const std::string_view op = graph_.nodes[edge.node].op;
  const auto inputs = inputs_of(edge.node);
  if (inputs.size() > kMaxInts) return unknown_shape();
  parts -= static_cast<int>(inputs.size());
  if (!inputs.empty()) {
    if (op == "Shape") return shape_of(inputs[0]);
    if (op == "ShapeN")
      return edge.port < inputs.size() ? shape_of(inputs[edge.port]) : unknown_shape();
    if (op == "Cast") return cast_shape(edge.node, parts);
    if (op == "Pack") return packed(edge.node);
    if (op == "Concat" || op == "ConcatV2") return concatenated(edge.node, parts);
    if (op == "StridedSlice") return sliced(edge.node, parts);
  }
  const Shape& vector = shape_of(edge);
  const bool length = !vector.unknown_rank && vector.dims.size() == 1 &&
                      vector.dims[0] != kUnknownDim &&
                      vector.dims[0] <= static_cast<int64_t>(kMaxListedDims);
  return length ? unknown_dims(static_cast<size_t>(vector.dims[0])) : unknown_shape();
}

// Sizes are lost in another type than a shape's.
Shape ShapeWalk::cast_shape(uint32_t node, int& parts) const {
  const Shape shape = shape_at(inputs_of(node)[0], parts);
  const auto type = static_cast<DType>(type_attr(graph_.nodes[node], "DstT").value_or(0));
  const bool kept = shape.unknown_rank || type == DType::kInt32 || type == DType::kInt64;
  return kept ? shape : unknown_dims(shape.dims.size());
}

// Concatenates vectors, whose axis can only be one.
Shape ShapeWalk::concatenated(uint32_t node, int& parts) const {
  Shape all;
  const auto inputs = inputs_of(node);
  const bool axis_first = graph_.nodes[node].op == "Concat";
  for (size_t i = axis_first ? 1 : 0; i < inputs.size() && !inputs[i].control; ++i) {
    const bool axis = !axis_first && (i + 1 == inputs.size() || inputs[i + 1].control);
    if (!axis) all = joined(all, shape_at(inputs[i], parts));
  }
  return all.dims.size() <= kMaxListedDims ? all : unknown_shape();
}

Shape ShapeWalk::packed(uint32_t node) const {
  if (!is_along_first(graph_.nodes[node])) return unknown_shape();
  Shape shape;
  for (const Edge& input : inputs_of(node)) {
    if (input.control) break;
    const auto one = ints(input);
    const bool size = one && one->scalar() && one->values[0] >= 0;
    shape.dims.push_back(size ? one->values[0] : kUnknownDim);
  }
  return shape;
}

// shape[begin:end:stride]; unknown with other masks.
Shape ShapeWalk::sliced(uint32_t node, int& parts) const {
  const auto inputs = inputs_of(node);
  if (inputs.size() < 4) return unknown_shape();
  const auto mask = [&](std::string_view name) {
    return int_attr(graph_.nodes[node], name).value_or(0);
  };
  if ((mask("begin_mask") | mask("end_mask")) > 1 || mask("ellipsis_mask") != 0 ||
      mask("new_axis_mask") != 0 || mask("shrink_axis_mask") != 0) {
    return unknown_shape();
  }
  std::array<std::optional<int64_t>, 3> range = {};
  for (size_t i = 0; i < range.size(); ++i) {
    const auto known = ints(inputs[i + 1]);
    if (known && known->values.size() == 1) range[i] = known->values[0];
  }
  const Shape of = shape_at(inputs[0], parts);
  if (mask("begin_mask") == 1) range[0] = 0;
  if (mask("end_mask") == 1) range[1] = INT32_MAX;
  if (of.unknown_rank || !range[0] || !range[1] || !range[2] || *range[2] <= 0) {
    return unknown_shape();
  }
  const auto rank = static_cast<int64_t>(of.dims.size());
  const auto within = [&](int64_t place) {
    return std::clamp<int64_t>(place < 0 ? place + rank : place, 0, rank);
  };
  Shape part;
  for (int64_t at = within(*range[0]); at < within(*range[1]); at += *range[2]) {
    part.dims.push_back(of.dims[static_cast<size_t>(at)]);
  }
  return part;
}

}  // namespace cryo
