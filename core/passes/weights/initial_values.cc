#include "passes/weights/initial_values.h"

#include <limits>

#include "base/text.h"
#include "bytes/coding.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"
#include "model/meta.h"
#include "tensor/number_text.h"
#include "tensor/views/converted_source.h"
#include "tensor/views/repeated_source.h"

namespace cryo {
namespace {

constexpr int kMaxIdentities = 32;   // Identity nodes in a row
constexpr int kMaxNestedValues = 5;  // Fill, Reshape and Cast within each other

Failure no_value(std::string_view why) { return failure("no-initial-value", why); }

DType type_of(const Node& node, std::string_view attr) {
  return static_cast<DType>(type_attr(node, attr).value_or(0));
}

// One value for all elements of a shape.
Result<Tensor> repeated_value(DType dtype, Shape shape, std::string element) {
  TRY(count, element_count(shape));
  const uint64_t most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (element.empty() || count > most / element.size()) return no_value("its value is too large");
  Splice content(repeated(fresh(std::move(element)), count));
  return Tensor{dtype, std::move(shape), count, std::move(content)};
}

// ZerosLike and OnesLike.
Result<Tensor> value_like(const Node& node, const Shape& shape) {
  const DType dtype = type_of(node, "T");
  std::string element;
  const bool known = has_number_text(dtype) && is_fully_defined(shape) &&
                     append_number(dtype, node.op == "OnesLike" ? "1" : "0", element);
  if (!known) return no_value(cat("its initializer is not a constant: ", node.op));
  return repeated_value(dtype, shape, std::move(element));
}

}  // namespace

InitialValues::InitialValues(const Model& model)
    : model_(model),
      nodes_(model.graph.nodes()),
      names_(model.graph.index().names()),
      edges_(model.graph.index().edges()) {
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& collection : meta.collection_def()) {
    if (!is_variable_collection(collection.key())) continue;
    for (const auto& def : variable_defs(meta, collection.key())) {
      initializers_.emplace(parse_tensor_name(def.variable_name()).node, def.initializer_name());
    }
  }
}

// The tensor that the initializer assigns.
Result<Edge> InitialValues::assigned(const Variable& variable) const {
  const auto named = initializers_.find(variable.name);
  const std::string name =
      named == initializers_.end() ? cat(variable.name, "/Assign") : named->second;
  const uint32_t node = names_.find(parse_tensor_name(name).node);
  if (node == kNoNode || !is_assignment(nodes_[node].op)) return no_value("it has no initializer");
  const auto inputs = edges_.inputs(node);
  const bool fits = inputs.size() > 1 && source_of(inputs[0]).node == variable.node;
  if (!fits || inputs[1].node == kNoNode || inputs[1].control) {
    return no_value("it has no initializer");
  }
  return inputs[1];
}

// Follows Identity nodes back.
Edge InitialValues::source_of(Edge edge) const {
  return skip_identities(nodes_, edges_, edge, kMaxIdentities);
}

// A tensor of shapes or sizes: int32 or int64.
Result<Shape> InitialValues::shape_in(const Edge& edge, int depth) const {
  TRY(dims, evaluated(edge, depth));
  const bool wide = dims.dtype == DType::kInt64;
  const bool is_vector = dims.shape.dims.size() == 1 && dims.count <= kMaxDims;
  if (!is_vector || (!wide && dims.dtype != DType::kInt32)) {
    return no_value("the shape of its initial value is not constant");
  }
  TRY(bytes, dims.content.read_all());
  Shape shape;
  std::string_view rest = bytes;
  for (uint64_t i = 0; i < dims.count; ++i) {
    uint32_t low = 0;
    uint32_t high = 0;
    if (!take_fixed32(rest, low) || (wide && !take_fixed32(rest, high))) break;
    const auto whole = static_cast<int64_t>((uint64_t{high} << 32) | low);
    shape.dims.push_back(wide ? whole : static_cast<int32_t>(low));
  }
  return shape;
}

Result<Tensor> InitialValues::filled(uint32_t node, int depth) const {
  const auto inputs = edges_.inputs(node);
  if (inputs.size() < 2) return no_value("its initializer is incomplete");
  TRY(shape, shape_in(inputs[0], depth));
  TRY(value, evaluated(inputs[1], depth));
  const DTypeInfo* type = find_dtype(value.dtype);
  if (type == nullptr || type->size == 0 || value.count != 1 || !is_fully_defined(shape)) {
    return no_value("its initializer is a Fill of another type");
  }
  TRY(element, value.content.read_all());
  return repeated_value(value.dtype, std::move(shape), std::move(element));
}

// The shape may have one -1, which takes what is left.
Result<Tensor> InitialValues::reshaped(uint32_t node, int depth) const {
  const auto inputs = edges_.inputs(node);
  if (inputs.size() < 2) return no_value("its initializer is incomplete");
  TRY(value, evaluated(inputs[0], depth));
  TRY(shape, shape_in(inputs[1], depth));
  uint64_t known = 1;
  int64_t* open = nullptr;
  for (int64_t& dim : shape.dims) {
    if (dim < 0) {
      open = &dim;
    } else if (dim > 0 && known <= value.count) {
      known *= static_cast<uint64_t>(dim);
    }
  }
  if (open != nullptr && known > 0) *open = static_cast<int64_t>(value.count / known);
  const auto count = element_count(shape);
  if (!count || *count != value.count) return no_value("the shape of its initial value is invalid");
  return Tensor{value.dtype, std::move(shape), value.count, value.content};
}

// Only where every number stays the same.
Result<Tensor> InitialValues::cast(uint32_t node, int depth) const {
  const auto inputs = edges_.inputs(node);
  if (inputs.empty()) return no_value("its initializer is incomplete");
  TRY(value, evaluated(inputs[0], depth));
  const DType to = type_of(nodes_[node], "DstT");
  const ElementConversion conversion{value.dtype, 1, 0, to, to};
  if (!is_convertible(conversion)) return no_value("its initializer is a Cast");
  TRY(exact, converts_exactly(value.content, conversion));
  if (!exact) return no_value("its initializer is a Cast that rounds");
  return Tensor{to, value.shape, value.count, Splice(converted(value.content, conversion))};
}

Result<Tensor> InitialValues::evaluated(const Edge& edge, int depth) const {
  const Edge at = source_of(edge);
  if (at.node == kNoNode || at.control || at.port != 0 || depth == 0) {
    return no_value("its initial value is not a constant");
  }
  const Node& node = nodes_[at.node];
  if (node.op == "Const") {
    return read_tensor(tensor_attr(node, "value").value_or(""), *model_.payloads);
  }
  if (node.op == "Fill") return filled(at.node, depth - 1);
  if (node.op == "Reshape") return reshaped(at.node, depth - 1);
  if (node.op == "Cast") return cast(at.node, depth - 1);
  return no_value(why_not_constant(at.node));
}

// Names the random op that the value is computed from, if there is one.
std::string InitialValues::why_not_constant(uint32_t node) const {
  constexpr size_t kMaxValueNodes = 64;
  std::vector<uint32_t> queue = {node};
  for (size_t i = 0; i < queue.size() && queue.size() < kMaxValueNodes; ++i) {
    const std::string_view op = nodes_[queue[i]].op;
    for (const std::string_view random : {"Random", "Normal", "Multinomial"}) {
      if (op.find(random) != std::string_view::npos) return cat("its initializer is random: ", op);
    }
    for (const Edge& input : data_inputs(edges_, queue[i])) queue.push_back(input.node);
  }
  return cat("its initializer is not a constant: ", nodes_[node].op);
}

Result<InitialValues::Constant> InitialValues::of(const Variable& variable) const {
  TRY(edge, assigned(variable));
  const Edge from = source_of(edge);
  const Node& node = nodes_[from.node == kNoNode ? edge.node : from.node];
  // The shape of another tensor, which the variable has too.
  const bool like = node.op == "ZerosLike" || node.op == "OnesLike";
  TRY(value, like ? value_like(node, variable.shape) : evaluated(edge, kMaxNestedValues));
  if (value.dtype != variable.dtype || !is_compatible(variable.shape, value.shape)) {
    return no_value("its initial value is of another type or shape");
  }
  return Constant{std::move(value), std::string(node.name)};
}

}  // namespace cryo
