#include "releases/downgrade_nodes.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "bytes/coding.h"
#include "tensor/content.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

const std::string kNumber = type_value(DType::kInt32);

}  // namespace

// Returns the name of a node, which is added unless one like it was.
std::string DowngradeNodes::add(std::string_view suffix, std::string_view op,
                                std::vector<std::string> inputs, const Attrs& attrs) {
  std::string computed = cat(op, "(", join(inputs, ", "), ")");
  for (const auto& attr : attrs) computed += attr.second;
  if (const auto known = known_.find(computed); known != known_.end()) return known->second;
  const std::string name = names_.take(cat(node_.name, "/", suffix));
  known_.emplace(std::move(computed), name);
  NodeEditor made(name, op);
  made.set_inputs(std::move(inputs)).set_device(device_of(node_));
  for (const auto& [key, value] : attrs) made.set_attr(key, value);
  made_.push_back(made.finish());
  return name;
}

// Adds a node of int32.
std::string DowngradeNodes::add_numbers(std::string_view suffix, std::string_view op,
                                        std::vector<std::string> inputs) {
  return add(suffix, op, std::move(inputs), {{"T", kNumber}});
}

// Adds a constant. It waits for an input of the node, so that it is in the same loop.
std::string DowngradeNodes::number(int32_t value) {
  std::string content;
  put_fixed32(content, static_cast<uint32_t>(value));
  std::string tensor = tensor_of_zeros(DType::kInt32, Shape{});
  put_bytes_field(tensor, fields::TensorProto::kTensorContent, content);
  const std::string wait = cat("^", parse_tensor_name(*node_.inputs().begin()).node);
  return add(cat("number_", value), "Const", {wait},
             {{"dtype", kNumber}, {"value", tensor_value(tensor)}});
}

// A number as a tensor with one axis.
std::string DowngradeNodes::vector_of(const std::string& scalar) {
  return add_numbers("vector", "ExpandDims", {scalar, number(0)});
}

std::string DowngradeNodes::joined(std::string_view suffix, const std::string& one,
                                   const std::string& other) {
  return add(suffix, "ConcatV2", {one, other, number(0)}, {{"N", int_value(2)}, {"T", kNumber}});
}

std::string DowngradeNodes::shape_of(const std::string& input, const std::string& type) {
  return add("shape", "Shape", {input}, {{"T", type}});
}

void DowngradeNodes::divide() {
  const std::string type = DowngradeNodes::type("T");
  const std::string divisor = editor_.inputs()[1];
  const std::string quotient = add("quotient", "RealDiv", editor_.inputs(), {{"T", type}});
  const std::string zeros = add("zeros", "ZerosLike", {quotient}, {{"T", type}});
  const std::string is_zero = add("is_zero", "Equal", {divisor, zeros}, {{"T", type}});
  editor_.set_inputs({is_zero, zeros, quotient});
}

DowngradeNodes::Tiling DowngradeNodes::tiling_of(const std::string& input, const std::string& type,
                                                 const std::string& shape) {
  const std::string own = shape_of(input, type);
  const std::string missing =
      add_numbers("missing", "Sub",
                  {add_numbers("rank", "Size", {shape}), add_numbers("own_rank", "Size", {own})});
  const std::string ones = add_numbers("ones", "Fill", {vector_of(missing), number(1)});
  const std::string padded = joined("padded", ones, own);
  const std::string divisor = add_numbers("divisor", "Maximum", {padded, number(1)});
  return {.reshaped = add("reshaped", "Reshape", {input, padded}, {{"T", type}}),
          .multiples = add_numbers("multiples", "FloorDiv", {shape, divisor})};
}

std::string DowngradeNodes::broadcast_to(const std::string& input, const std::string& type,
                                         const std::string& shape) {
  const Tiling tiling = tiling_of(input, type, shape);
  return add("broadcast", "Tile", {tiling.reshaped, tiling.multiples}, {{"T", type}});
}

void DowngradeNodes::select(const std::vector<bool>& whole) {
  const std::array<std::string, 3> types = {type_value(DType::kBool), type("T"), type("T")};
  std::vector<std::string>& inputs = editor_.inputs();
  std::string shape = shape_of(inputs[0], types[0]);
  for (size_t i = 1; i < 3; ++i) {
    shape = add_numbers("whole", "BroadcastArgs", {shape, shape_of(inputs[i], types[i])});
  }
  for (size_t i = 0; i < 3; ++i) {
    if (!whole[i]) inputs[i] = broadcast_to(inputs[i], types[i], shape);
  }
}

void DowngradeNodes::broadcast() {
  std::vector<std::string>& inputs = editor_.inputs();
  std::string shape = inputs[1];
  if (const std::string* index = editor_.attr("Tidx"); index != nullptr && *index != kNumber) {
    shape = add("to", "Cast", {shape}, {{"SrcT", *index}, {"DstT", kNumber}});
  }
  const Tiling tiling = tiling_of(inputs[0], type("T"), shape);
  inputs[0] = tiling.reshaped;
  inputs[1] = tiling.multiples;
  editor_.erase_attr("Tidx");
}

void DowngradeNodes::multiply(const std::vector<bool>& whole) {
  const std::string type = *editor_.attr("T");
  std::vector<std::string>& inputs = editor_.inputs();
  std::array<std::string, 2> batches;
  std::array<std::string, 2> matrices;
  const std::string first = vector_of(number(0));
  const std::string two = vector_of(number(2));
  for (size_t i = 0; i < 2; ++i) {
    const std::string shape = shape_of(inputs[i], type);
    const std::string rank = add_numbers("rank", "Size", {shape});
    const std::string axes = vector_of(add_numbers("axes", "Sub", {rank, number(2)}));
    const Attrs attrs = {{"T", kNumber}, {"Index", kNumber}};
    batches[i] = add("batch", "Slice", {shape, first, axes}, attrs);
    if (!whole[i]) matrices[i] = add("matrix", "Slice", {shape, axes, two}, attrs);
  }
  const std::string batch = add_numbers("whole", "BroadcastArgs", {batches[0], batches[1]});
  for (size_t i = 0; i < 2; ++i) {
    if (whole[i]) continue;
    inputs[i] = broadcast_to(inputs[i], type, joined("shape", batch, matrices[i]));
  }
}

bool DowngradeNodes::can_broadcast(std::optional<int> type) {
  constexpr auto kTypes = std::to_array<DType>(
      {DType::kBool, DType::kComplex128, DType::kComplex64, DType::kDouble, DType::kFloat,
       DType::kHalf, DType::kInt16, DType::kInt32, DType::kInt64, DType::kString, DType::kUint8});
  return type && std::find(kTypes.begin(), kTypes.end(), static_cast<DType>(*type)) != kTypes.end();
}

bool DowngradeNodes::can_adapt(const Node& node, std::string_view attr) {
  const size_t inputs = count_data_inputs(node);
  if (node.op == "Where") return attr == "T" && inputs == 1;
  return node.op.starts_with("SparseSegment") && attr == "Tsegmentids" && inputs >= 3;
}

void DowngradeNodes::adapt(std::string_view attr) {
  const std::string type = DowngradeNodes::type(attr);
  std::vector<std::string>& inputs = editor_.inputs();
  if (node_.op == "Where") {
    const std::string zeros = add("zeros", "ZerosLike", {inputs[0]}, {{"T", type}});
    inputs[0] = add("is_true", "NotEqual", {inputs[0], zeros}, {{"T", type}});
  } else {
    inputs[2] = add("segments", "Cast", {inputs[2]}, {{"SrcT", type}, {"DstT", kNumber}});
  }
  editor_.erase_attr(attr);
}

}  // namespace cryo
