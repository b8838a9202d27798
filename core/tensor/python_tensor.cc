#include "tensor/python_tensor.h"

#include "tensor/views/packed_source.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Returns true if a tensor of more than one element is written as tensor_content.
bool goes_raw(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUint16:
    case DType::kComplex64:
    case DType::kComplex128:
    case DType::kInt4:
    case DType::kUint4:
    case DType::kInt2:
    case DType::kUint2:
      return false;
    default:
      return true;
  }
}

// Returns true if the typed list has the same bytes as the plain content.
bool list_is_plain(uint32_t field) {
  return field == fields::TensorProto::kFloatVal || field == fields::TensorProto::kDoubleVal ||
         field == fields::TensorProto::kScomplexVal || field == fields::TensorProto::kDcomplexVal ||
         field == fields::TensorProto::kBoolVal || field == fields::TensorProto::kFloat8Val;
}

}  // namespace

Result<std::string> python_tensor(DType dtype, const Shape& shape, const Splice& plain_content,
                                  Payloads& payloads) {
  TRY(raw, const_tensor(dtype, shape, plain_content, payloads));
  const DTypeInfo& type = *find_dtype(dtype);
  const bool listed =
      dtype != DType::kString && (plain_content.size() == type.size || !goes_raw(dtype));
  if (!listed || plain_content.size() == 0) return raw;
  Splice list = plain_content;
  if (!list_is_plain(type.field)) {
    TRY(packed, packed_varints(plain_content, dtype));
    list = Splice(std::move(packed));
  }
  std::string skeleton;
  put_varint_field(skeleton, fields::TensorProto::kDtype, static_cast<uint64_t>(dtype));
  put_bytes_field(skeleton, fields::TensorProto::kTensorShape, shape_message(shape));
  put_varint_field(skeleton, kPayloadField, payloads.add(make_payload(type.field, list)));
  return skeleton;
}

}  // namespace cryo
