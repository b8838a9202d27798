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

using WeightIndex = std::unordered_map<std::string_view, size_t>;  // by name

// Without values TensorFlow would take zeros.
Result<std::string> missing_weight(const Node& node, DType dtype, Payloads& payloads,
                                   TfjsGraph& graph) {
  const Shape shape = output_shape(node, 0);
  const Result<uint64_t> count = element_count(shape);
  const DTypeInfo* type = find_dtype(dtype);
  if (!count || *count == 0 || *count > kMaxMessageBytes || type == nullptr) return std::string();
  graph.bare.emplace_back(node.name);
  const Failure why =
      failure("missing-weight", cat("the weights have none for the constant ", quoted(node.name)),
              {.node = node.name}, "get the model's files again, all of one conversion");
  TfjsWeight weight{std::string(node.name), dtype, shape, *count};
  weight.stored.from = dtype;
  weight.content.append(fault_slice(*why, std::max<uint64_t>(*count * type->size, 1)));
  return tensor_of_weight(weight, dtype, payloads);
}

// Returns the new TensorProto of a Const; empty to keep the one it has.
Result<std::string> weight_value(const std::vector<TfjsWeight>& weights, const WeightIndex& index,
                                 const Node& node, DType& dtype, Payloads& payloads,
                                 TfjsGraph& graph) {
  const auto found = index.find(node.name);
  if (found != index.end()) {
    const TfjsWeight& weight = weights[found->second];
    graph.taken[found->second] = true;
    if (dtype == DType::kInvalid) dtype = weight.dtype;
    return tensor_of_weight(weight, dtype, payloads);
  }
  if (has_values(tensor_attr(node, "value").value_or(""))) return std::string();
  return missing_weight(node, dtype, payloads, graph);
}

Result<std::string> attach_to_node(const std::vector<TfjsWeight>& weights, const WeightIndex& index,
                                   std::string_view bytes, Payloads& payloads, TfjsGraph& graph) {
  TRY(scanned, scan_node(bytes));
  if (scanned.op != "Const") return std::string(bytes);
  auto dtype = static_cast<DType>(type_attr(scanned, "dtype").value_or(0));
  Result<std::string> value = weight_value(weights, index, scanned, dtype, payloads, graph);
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

Result<std::string> attach_in_library(const std::vector<TfjsWeight>& weights,
                                      const WeightIndex& index, std::string_view message,
                                      Payloads& payloads, TfjsGraph& graph);

// Returns a message with its nodes and its library rebuilt, the rest verbatim.
Result<std::string> rebuild(const std::vector<TfjsWeight>& weights, const WeightIndex& index,
                            std::string_view message, uint32_t nodes, uint32_t library,
                            Payloads& payloads, TfjsGraph& graph) {
  std::string out;
  WireCursor cursor(message);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    if (field.type != WireType::kBytes || (field.number != nodes && field.number != library)) {
      out += field.record;
      continue;
    }
    TRY(made, field.number == nodes
                  ? attach_to_node(weights, index, field.bytes, payloads, graph)
                  : attach_in_library(weights, index, field.bytes, payloads, graph));
    put_bytes_field(out, field.number, made);
  }
  if (!cursor.ok()) return failure("malformed-message", "the graph is not a valid GraphDef");
  return out;
}

Result<std::string> attach_in_library(const std::vector<TfjsWeight>& weights,
                                      const WeightIndex& index, std::string_view message,
                                      Payloads& payloads, TfjsGraph& graph) {
  std::string out;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::FunctionDefLibrary::kFunction || field.type != WireType::kBytes) {
      out += field.record;
      continue;
    }
    TRY(function,
        rebuild(weights, index, field.bytes, fields::FunctionDef::kNodeDef, 0, payloads, graph));
    put_bytes_field(out, fields::FunctionDefLibrary::kFunction, function);
  }
  return out;
}

}  // namespace

Result<TfjsGraph> with_weights(std::string_view topology, const std::vector<TfjsWeight>& weights,
                               Payloads& payloads) {
  WeightIndex index;
  for (size_t i = 0; i < weights.size(); ++i) index[weights[i].name] = i;
  TfjsGraph graph;
  graph.taken.resize(weights.size());
  TRY(skeleton, rebuild(weights, index, topology, fields::GraphDef::kNode,
                        fields::GraphDef::kLibrary, payloads, graph));
  graph.skeleton = std::move(skeleton);
  return graph;
}

}  // namespace cryo
