#include "formats/tfjs/tfjs_constants.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/slice_source.h"
#include "graph/node_editor.h"
#include "graph/tensor_info.h"
#include "tensor/content.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Returns true if a TensorProto has more than a type, a shape and a version.
bool has_values(std::string_view tensor) {
  for (WireCursor cursor(tensor); cursor.next();) {
    if (cursor.field().number > 3) return true;
  }
  return false;
}

class WeightAttacher {
 public:
  WeightAttacher(const std::vector<TfjsWeight>& weights, Payloads& payloads)
      : weights_(weights), payloads_(payloads) {
    graph_.taken.resize(weights.size());
    for (size_t i = 0; i < weights.size(); ++i) of_name_[weights[i].name] = i;
  }

  Result<TfjsGraph> run(std::string_view topology) {
    TRY(skeleton, rebuilt(topology, fields::GraphDef::kNode, fields::GraphDef::kLibrary));
    graph_.skeleton = std::move(skeleton);
    return std::move(graph_);
  }

 private:
  Result<std::string> rebuilt(std::string_view message, uint32_t nodes, uint32_t library);
  Result<std::string> library(std::string_view message);
  Result<std::string> node(std::string_view bytes);
  Result<std::string> value_of(const Node& node, DType& dtype);
  Result<std::string> missing(const Node& node, DType dtype);

  const std::vector<TfjsWeight>& weights_;
  Payloads& payloads_;
  std::unordered_map<std::string_view, size_t> of_name_;
  TfjsGraph graph_;
};

// Returns a message with its nodes and its library rebuilt, the rest verbatim.
Result<std::string> WeightAttacher::rebuilt(std::string_view message, uint32_t nodes,
                                            uint32_t library) {
  std::string out;
  WireCursor cursor(message);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    if (field.type != WireType::kBytes || (field.number != nodes && field.number != library)) {
      out += field.record;
      continue;
    }
    TRY(made, field.number == nodes ? node(field.bytes) : this->library(field.bytes));
    put_bytes_field(out, field.number, made);
  }
  if (!cursor.ok()) return failure("malformed-message", "the graph is not a valid GraphDef");
  return out;
}

Result<std::string> WeightAttacher::library(std::string_view message) {
  std::string out;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::FunctionDefLibrary::kFunction || field.type != WireType::kBytes) {
      out += field.record;
      continue;
    }
    TRY(function, rebuilt(field.bytes, fields::FunctionDef::kNodeDef, 0));
    put_bytes_field(out, fields::FunctionDefLibrary::kFunction, function);
  }
  return out;
}

// Returns the new TensorProto of a Const; empty to keep the one it has.
Result<std::string> WeightAttacher::value_of(const Node& node, DType& dtype) {
  const auto found = of_name_.find(node.name);
  if (found != of_name_.end()) {
    const TfjsWeight& weight = weights_[found->second];
    graph_.taken[found->second] = true;
    if (dtype == DType::kInvalid) dtype = weight.dtype;
    return tensor_of_weight(weight, dtype, payloads_);
  }
  if (has_values(tensor_attr(node, "value").value_or(""))) return std::string();
  return missing(node, dtype);
}

// Without values TensorFlow would take zeros.
Result<std::string> WeightAttacher::missing(const Node& node, DType dtype) {
  const Shape shape = output_shape(node, 0);
  const Result<uint64_t> count = element_count(shape);
  const DTypeInfo* type = find_dtype(dtype);
  if (!count || *count == 0 || *count > kMaxMessageBytes || type == nullptr) return std::string();
  graph_.bare.emplace_back(node.name);
  const Failure why =
      failure("missing-weight", cat("the weights have none for the constant ", quoted(node.name)),
              {.node = node.name}, "get the model's files again, all of one conversion");
  TfjsWeight weight{std::string(node.name), dtype, shape, *count};
  weight.stored.from = dtype;
  weight.content.append(fault_slice(*why, std::max<uint64_t>(*count * type->size, 1)));
  return tensor_of_weight(weight, dtype, payloads_);
}

Result<std::string> WeightAttacher::node(std::string_view bytes) {
  TRY(scanned, scan_node(bytes));
  if (scanned.op != "Const") return std::string(bytes);
  auto dtype = static_cast<DType>(type_attr(scanned, "dtype").value_or(0));
  Result<std::string> value = value_of(scanned, dtype);
  if (!value) {
    Diagnostic error = value.error();
    error.where.node = scanned.name;
    return error;
  }
  if (value->empty()) return std::string(bytes);
  NodeEditor editor(scanned);
  editor.set_attr("dtype", type_value(dtype));
  return editor.set_attr("value", tensor_value(*value)).finish();
}

}  // namespace

Result<TfjsGraph> with_weights(std::string_view topology, const std::vector<TfjsWeight>& weights,
                               Payloads& payloads) {
  return WeightAttacher(weights, payloads).run(topology);
}

}  // namespace cryo
