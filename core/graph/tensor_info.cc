#include "graph/tensor_info.h"

#include "graph/attr_value.h"
#include "graph/node_types.h"
#include "graph/roles.h"
#include "proto/tensor.pb.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::optional<std::string_view> noted_bytes(const Node& node, uint32_t port) {
  const auto noted = find_attr(node, "_output_shapes");
  if (!noted) return std::nullopt;
  uint32_t at = 0;
  std::optional<std::string_view> found;
  AttrValue(*noted).each_bytes(AttrKind::kShape, [&](std::string_view shape) {
    if (at++ == port) found = shape;
  });
  return found;
}

// The message of the shape that the node declares or the exporter noted.
std::optional<std::string_view> shape_bytes(const Node& node, uint32_t port) {
  if (is_placeholder(node.op) || is_variable(node.op)) return shape_attr(node, "shape");
  if (node.op == "Const")
    return last_bytes(tensor_attr(node, "value").value_or(""), fields::TensorProto::kTensorShape);
  return noted_bytes(node, port);
}

Shape shape_of_bytes(std::optional<std::string_view> bytes) {
  tensorflow::TensorShapeProto proto;
  if (!bytes || !proto.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) {
    return {true, {}};
  }
  Result<Shape> shape = read_shape(proto);
  return shape ? std::move(*shape) : Shape{true, {}};
}

}  // namespace

std::optional<DType> output_dtype(const Node& node, uint32_t port, const OpRegistry* ops) {
  if (ops != nullptr) {
    if (const auto type = output_type(node, port, *ops)) return base(*type);
  }
  auto attr = type_attr(node, "dtype");
  if (!attr) attr = type_attr(node, "T");
  if (!attr) return std::nullopt;
  return base(static_cast<DType>(*attr));
}

Shape output_shape(const Node& node, uint32_t port) {
  return shape_of_bytes(shape_bytes(node, port));
}

Shape placeholder_shape(Shape stated, int producer) {
  const bool unknown = producer <= kScalarsAreUnknown && stated.dims.empty();
  return unknown ? Shape{true, {}} : stated;
}

bool is_scalar(const Node& node) {
  const Shape shape = output_shape(node, 0);
  return !shape.unknown_rank && shape.dims.empty();
}

Shape noted_shape(const Node& node, uint32_t port) {
  return shape_of_bytes(noted_bytes(node, port));
}

}  // namespace cryo
