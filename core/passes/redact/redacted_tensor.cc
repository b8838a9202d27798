#include "passes/redact/redacted_tensor.h"

#include <algorithm>

#include "model/string_tensor.h"
#include "tensor/views/repeated_source.h"
#include "wire/fields.h"
#include "wire/nested_schema.h"

namespace cryo {
namespace {

// Longer texts than these are not names.
constexpr uint64_t kMaxTextBytes = uint64_t{1} << 20;

// Returns the bytes of one zero in a typed list.
size_t zero_size(uint32_t list) {
  switch (list) {
    case fields::TensorProto::kFloatVal:
      return 4;
    case fields::TensorProto::kScomplexVal:
    case fields::TensorProto::kDoubleVal:
      return 8;
    case fields::TensorProto::kDcomplexVal:
      return 16;
    default:
      return 1;
  }
}

// Returns a tensor whose one element repeats.
std::string filled(const Tensor& tensor) {
  std::string proto = tensor_of_zeros(tensor.dtype, tensor.shape);
  if (tensor.count == 0) return proto;
  const DTypeInfo* type = find_dtype(tensor.dtype);
  const bool text = tensor.dtype == DType::kString;
  put_bytes_field(proto, type->field, text ? "" : std::string(zero_size(type->field), '\0'));
  return proto;
}

// Returns true for numbers that say shapes, axes and the like.
bool is_structure(const Tensor& tensor, TensorRole role) {
  const bool whole = tensor.dtype == DType::kInt32 || tensor.dtype == DType::kInt64 ||
                     tensor.dtype == DType::kBool;
  return whole ? tensor.count <= kMaxKept : role == TensorRole::kNumber && tensor.count == 1;
}

bool is_slice(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || c == ' ' || c == ',' || c == ':' || c == '-';
  });
}

DType dtype_of(std::string_view skeleton) {
  uint64_t dtype = 0;
  for (WireCursor cursor(skeleton); cursor.next();) {
    const WireField& field = cursor.field();
    const bool it = field.number == fields::TensorProto::kDtype && field.type == WireType::kVarint;
    if (it) dtype = field.value;
  }
  return static_cast<DType>(static_cast<int32_t>(dtype));
}

// Returns content of the same size and fault.
std::string faulty_content(std::string_view content, DType dtype) {
  // Lengths of strings that never end.
  if (dtype == DType::kString) return std::string(content.size(), '\x80');
  std::string zeros(content.size(), '\0');
  const auto is_bool = [](char byte) { return byte == 0 || byte == 1; };
  if (dtype == DType::kBool && !std::all_of(content.begin(), content.end(), is_bool)) zeros[0] = 2;
  return zeros;
}

// Returns a list of the same size, of zeros; one that is cut short stays so.
std::string faulty_list(std::string_view list) {
  std::string zeros(list.size(), '\0');
  if (!list.empty() && (list.back() & 0x80) != 0) zeros.back() = '\x80';
  return zeros;
}

}  // namespace

std::string zero_field(const WireField& field) {
  std::string made;
  if (field.type == WireType::kBytes) {
    put_bytes_field(made, field.number, std::string(field.bytes.size(), '\0'));
    return made;
  }
  put_tag(made, field.number, field.type);
  made.append(field.type == WireType::kVarint ? 1 : field.type == WireType::kFixed32 ? 4 : 8, '\0');
  return made;
}

void TensorRedaction::remove(uint64_t bytes) {
  ++removed_.tensors;
  removed_.bytes += bytes;
}

// A shape that cannot be read (of a file that is cut short) stays unread: with zeros in its place
// the graph would have another fault. Who writes it gets the error.
std::string TensorRedaction::numbers(const Tensor& tensor, TensorRole role) {
  if (!is_structure(tensor, role)) return filled(tensor);
  constexpr uint32_t kContent = fields::TensorProto::kTensorContent;
  std::string proto = tensor_of_zeros(tensor.dtype, tensor.shape);
  const auto content = tensor.content.read_all();
  if (!content) {
    put_varint_field(proto, kPayloadField, payloads_.add(make_payload(kContent, tensor.content)));
  } else if (!content->empty()) {
    put_bytes_field(proto, kContent, *content);
  }
  return proto;
}

std::string TensorRedaction::strings(std::string_view skeleton, const Tensor& tensor,
                                     TensorRole role) {
  const bool saver = role == TensorRole::kNames || role == TensorRole::kSlices;
  const bool small = tensor.count <= kMaxKept && stored_bytes(skeleton, payloads_) < kMaxTextBytes;
  if (!saver && !small) return filled(tensor);
  const auto texts = read_strings(skeleton, payloads_);
  if (!texts) return filled(tensor);
  std::string proto = tensor_of_zeros(DType::kString, tensor.shape);
  for (const std::string& each : *texts) {
    const bool stays = role == TensorRole::kSlices && is_slice(each);
    const std::string made = stays ? each : saver ? names_.name(each) : names_.text(each);
    put_bytes_field(proto, fields::TensorProto::kStringVal, made);
  }
  return proto;
}

std::string TensorRedaction::proto(std::string_view skeleton, TensorRole role, Message message) {
  const auto tensor = read_tensor(skeleton, payloads_);
  const uint64_t bytes = stored_bytes(skeleton, payloads_);
  if (!tensor) {
    remove(bytes);
    return faulty(skeleton, message);
  }
  if (tensor->dtype == DType::kString) {
    if (role == TensorRole::kValue && tensor->count > 0) remove(bytes);
    return strings(skeleton, *tensor, role);
  }
  if (!is_structure(*tensor, role) && tensor->count > 0) remove(bytes);
  return numbers(*tensor, role);
}

std::string TensorRedaction::faulty_field(const WireField& field, DType dtype, Message message) {
  std::string made;
  switch (field.number) {
    case fields::TensorProto::kDtype:
    case fields::TensorProto::kVersionNumber:
      return std::string(field.record);
    case fields::TensorProto::kTensorShape:
      put_bytes_field(made, field.number, message(field.bytes, "tensorflow.TensorShapeProto"));
      return made;
    case fields::TensorProto::kResourceHandleVal:
      put_bytes_field(made, field.number, message(field.bytes, "tensorflow.ResourceHandleProto"));
      return made;
    case fields::TensorProto::kVariantVal:
      put_bytes_field(made, field.number,
                      message(field.bytes, "tensorflow.VariantTensorDataProto"));
      return made;
    case fields::TensorProto::kTensorContent:
      put_bytes_field(made, field.number, faulty_content(field.bytes, dtype));
      return made;
    case fields::TensorProto::kStringVal:
      put_bytes_field(made, field.number, "");
      return made;
    default:
      break;
  }
  if (field.type != WireType::kBytes) return zero_field(field);
  put_bytes_field(made, field.number, faulty_list(field.bytes));
  return made;
}

std::string TensorRedaction::faulty_bulk(const Payload& payload, DType dtype) {
  const Splice body = payload.body();
  std::string made;
  if (payload.field == fields::TensorProto::kStringVal) {
    put_bytes_field(made, payload.field, "");
    return made;
  }
  const bool content = payload.field == fields::TensorProto::kTensorContent;
  std::string last(1, '\0');
  if (const auto byte = body.sub(body.size() - 1, 1).read_all(); byte && !content) last = *byte;
  const std::string most = content && dtype == DType::kString ? "\x80" : std::string(1, '\0');
  Splice zeros(repeated(fresh(most), body.size() - 1));
  zeros.append(fresh(faulty_list(last)));
  put_varint_field(made, kPayloadField, payloads_.add(make_payload(payload.field, zeros)));
  return made;
}

std::string TensorRedaction::faulty(std::string_view skeleton, Message message) {
  const DType dtype = dtype_of(skeleton);
  const MessageSchema& schema = message_schema("tensorflow.TensorProto");
  std::string made;
  for (WireCursor cursor(skeleton); cursor.next();) {
    const WireField& field = cursor.field();
    const Payload* bulk = is_handle(field) ? payloads_.find(field.value) : nullptr;
    const FieldSchema* known = schema.find(bulk != nullptr ? bulk->field : field.number);
    const bool has = known != nullptr && known->number != kPayloadField;
    if (!has || (bulk == nullptr && !fits_wire(*known, field.type))) continue;
    made += bulk != nullptr ? faulty_bulk(*bulk, dtype) : faulty_field(field, dtype, message);
  }
  return made;
}

}  // namespace cryo
