#include "validate/graph/constants.h"

#include <limits>

#include "base/utf8.h"
#include "proto/tensor.pb.h"
#include "tensor/shape.h"
#include "validate/graph/shapes.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// The checked fields of a TensorProto: of its values only the size of `tensor_content`.
struct TensorOutline {
  DType dtype = DType::kInvalid;
  std::string_view shape = {};
  uint64_t content = 0;  // bytes
};

TensorOutline outline(std::string_view tensor, const Payloads& payloads) {
  TensorOutline found;
  for (WireCursor cursor(tensor); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::TensorProto::kDtype)
      found.dtype = static_cast<DType>(static_cast<int32_t>(field.value));
    if (field.number == fields::TensorProto::kTensorShape) found.shape = field.bytes;
    if (field.number == fields::TensorProto::kTensorContent) found.content = field.bytes.size();
    if (field.number != kPayloadField) continue;
    const Payload* payload = payloads.find(field.value);
    if (payload && payload->field == fields::TensorProto::kTensorContent)
      found.content = payload->body().size();
  }
  return found;
}

// The bytes that tensor_content must have, if it has any; nothing for types of no fixed size.
std::optional<uint64_t> content_bytes(const TensorOutline& tensor) {
  tensorflow::TensorShapeProto proto;
  const DTypeInfo* info = find_dtype(tensor.dtype);
  if (!info || info->size == 0 || !proto.ParseFromString(std::string(tensor.shape))) {
    return std::nullopt;
  }
  proto.clear_unknown_rank();  // a tensor's shape is read as if it were not there
  const auto shape = read_shape(proto);
  const auto count = shape ? element_count(*shape) : shape.error();
  if (!count || *count > std::numeric_limits<uint64_t>::max() / info->size) return std::nullopt;
  return *count * info->size;
}

void check_content(const Node& node, const TensorOutline& tensor, const Reporter& reporter) {
  const GraphPlace spot{.node = node.name, .attr = "value"};
  if (!find_dtype(tensor.dtype) || is_ref(tensor.dtype)) {
    reporter.warning("const-no-type", spot, "Cannot parse tensor from proto: its dtype is ",
                     op_type_name(tensor.dtype));
    return;
  }
  const auto wanted = content_bytes(tensor);
  if (tensor.content == 0 || !wanted || *wanted == 0 || *wanted == tensor.content) return;
  reporter.warning("const-length", spot, "Cannot parse tensor from proto: tensor_content has ",
                   plural(tensor.content, "byte"), ", its dtype and shape need ", *wanted);
}

}  // namespace

void check_constant(const Node& node, const NodeAttrs& attrs, const Payloads& payloads,
                    const Reporter& reporter) {
  const auto attr = attrs.get("value");
  const AttrValue value(attr.value_or(""));
  const GraphPlace spot{.node = node.name, .attr = "value"};
  if (value.kind() == AttrKind::kPlaceholder) stays_placeholder(spot, reporter);
  if (value.kind() != AttrKind::kTensor) return;
  const TensorOutline tensor = outline(value.bytes(), payloads);
  if (const auto fault = shape_fault(tensor.shape, true)) {
    reporter.error("const-shape", spot, *fault, " for ", quoted(node.name));
    return;
  }
  const DType dtype = AttrValue(attrs.get("dtype").value_or("")).type();
  if (find_dtype(dtype) && find_dtype(tensor.dtype) && dtype != tensor.dtype) {
    reporter.warning("const-type", spot, "Type mismatch between value (",
                     op_type_name(tensor.dtype), ") and dtype (", op_type_name(dtype), ")");
  }
  check_content(node, tensor, reporter);
}

}  // namespace cryo
