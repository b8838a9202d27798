#include "passes/edit/batch_nodes.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "graph/node_editor.h"
#include "graph/tensor_info.h"
#include "tensor/content.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

using Attrs = std::vector<std::pair<std::string_view, std::string>>;

std::string add(BatchNodes& nodes, const std::string& name, std::string_view op,
                std::vector<std::string> inputs, const Attrs& attrs) {
  const std::string taken = nodes.names.take(name);
  NodeEditor made(taken, op);
  made.set_inputs(std::move(inputs));
  for (const auto& [key, value] : attrs) made.set_attr(key, value);
  nodes.added.push_back(made.finish());
  return taken;
}

std::string numbers_value(DType dtype, const std::vector<int64_t>& dims,
                          std::vector<int64_t> numbers) {
  std::string tensor = tensor_of_zeros(dtype, {false, dims});
  const KnownTensor known{dtype, dims, std::move(numbers)};
  put_bytes_field(tensor, fields::TensorProto::kTensorContent, content_of(known));
  return tensor_value(tensor);
}

std::string add_vector(BatchNodes& nodes, const std::string& name, DType dtype,
                       std::vector<int64_t> numbers) {
  const auto count = static_cast<int64_t>(numbers.size());
  return add(
      nodes, name, "Const", {},
      {{"dtype", type_value(dtype)}, {"value", numbers_value(dtype, {count}, std::move(numbers))}});
}

// Returns the first size of what is fed, as a vector of one.
std::string fed_batch(BatchNodes& nodes, DType dtype) {
  const auto [known, is_new] = nodes.fed.try_emplace(dtype);
  if (!is_new) return known->second;
  const Node& source = nodes.model.graph.nodes()[nodes.source];
  const std::string name = cat(source.name, "/batch");
  const std::string type = type_value(dtype);
  const std::string shape =
      add(nodes, cat(name, "/shape"), "Shape", {std::string(source.name)},
          {{"T", std::string(*find_attr(source, "dtype"))}, {"out_type", type}});
  const std::string begin = add_vector(nodes, cat(name, "/begin"), DType::kInt32, {0});
  const std::string end = add_vector(nodes, cat(name, "/end"), DType::kInt32, {1});
  known->second = add(nodes, name, "StridedSlice", {shape, begin, end, end},
                      {{"T", type}, {"Index", type_value(DType::kInt32)}});
  return known->second;
}

// Returns sizes of which the first is that of what is fed.
std::string fed_sizes(BatchNodes& nodes, const std::string& name, const KnownTensor& sizes,
                      int64_t factor) {
  const std::string type = type_value(sizes.dtype);
  std::string batch = fed_batch(nodes, sizes.dtype);
  if (factor != 1) {
    const std::string by = add_vector(nodes, cat(name, "/factor"), sizes.dtype, {factor});
    batch = add(nodes, cat(name, "/product"), "Mul", {batch, by}, {{"T", type}});
  }
  if (sizes.dims.empty()) return add(nodes, name, "Squeeze", {batch}, {{"T", type}});
  if (sizes.whole.size() == 1) return batch;
  const std::string rest =
      add_vector(nodes, cat(name, "/rest"), sizes.dtype,
                 std::vector<int64_t>(sizes.whole.begin() + 1, sizes.whole.end()));
  const std::string axis =
      add(nodes, cat(name, "/axis"), "Const", {},
          {{"dtype", type_value(DType::kInt32)}, {"value", numbers_value(DType::kInt32, {}, {0})}});
  return add(nodes, name, "ConcatV2", {batch, rest, axis},
             {{"N", int_value(2)}, {"T", type}, {"Tidx", type_value(DType::kInt32)}});
}

// Adds a copy of a constant with another value, and its control inputs.
std::string add_copy(BatchNodes& nodes, const std::string& name, NodeEditor copy,
                     const std::string& value) {
  const std::string taken = nodes.names.take(name);
  nodes.added.push_back(copy.set_name(taken).set_attr("value", value).finish());
  return taken;
}

// Returns as many rows, each as the constant has them.
std::optional<std::string> tiled_rows(BatchNodes& nodes, const std::string& name,
                                      const BatchSize& of) {
  const Node& constant = nodes.model.graph.nodes()[of.constant];
  const auto tensor =
      read_tensor(tensor_attr(constant, "value").value_or(""), *nodes.model.payloads);
  if (!tensor) return std::nullopt;
  Shape shape = tensor->shape;
  const uint64_t row = tensor->content.size() / static_cast<uint64_t>(shape.dims[0]);
  shape.dims[0] = 1;
  const auto proto =
      const_tensor(tensor->dtype, shape, tensor->content.sub(0, row), *nodes.model.payloads);
  if (!proto) return std::nullopt;
  NodeEditor row_editor(constant);
  row_editor.erase_attr("_output_shapes");
  const std::string first =
      add_copy(nodes, cat(name, "/row"), std::move(row_editor), tensor_value(*proto));
  KnownTensor multiples{DType::kInt32,
                        {static_cast<int64_t>(shape.dims.size())},
                        std::vector<int64_t>(shape.dims.size(), 1)};
  multiples.whole[0] = nodes.size;
  const std::string times = cat(name, "/multiples");
  const std::string all = nodes.size == kUnknownDim
                              ? fed_sizes(nodes, times, multiples, 1)
                              : add_vector(nodes, times, DType::kInt32, multiples.whole);
  return add(nodes, name, "Tile", {first, all},
             {{"T", type_value(tensor->dtype)}, {"Tmultiples", type_value(DType::kInt32)}});
}

bool has_open_size(const KnownTensor& sizes) {
  return std::find(sizes.whole.begin(), sizes.whole.end(), kUnknownDim) != sizes.whole.end();
}

}  // namespace

std::optional<std::string> with_batch(BatchNodes& nodes, const BatchSize& of) {
  const Node& node = nodes.model.graph.nodes()[of.node];
  const std::string name = cat(node.name, of.is_rows ? "/rows" : "/sizes");
  const bool is_fed = nodes.size == kUnknownDim;
  const bool may_be_open = node.op == "Reshape" && !has_open_size(of.value);
  const bool is_fixed = !of.is_rows && (!is_fed || may_be_open);
  if (is_fed && !is_fixed && nodes.model.graph.nodes()[of.constant].input_count > 0) {
    return std::nullopt;
  }
  if (of.is_rows) return tiled_rows(nodes, name, of);
  if (!is_fixed) return fed_sizes(nodes, name, of.value, of.factor);
  KnownTensor sizes = of.value;
  sizes.whole[0] = is_fed ? kUnknownDim : of.factor * nodes.size;
  return add_copy(nodes, name, NodeEditor(nodes.model.graph.nodes()[of.constant]),
                  numbers_value(sizes.dtype, sizes.dims, std::move(sizes.whole)));
}

}  // namespace cryo
