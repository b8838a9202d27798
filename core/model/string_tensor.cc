#include "model/string_tensor.h"

#include "bytes/coding.h"
#include "tensor/content.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr size_t kChecksumSize = 4;  // between the lengths and the bytes

}  // namespace

uint64_t stored_bytes(std::string_view tensor, const Payloads& payloads) {
  uint64_t bytes = tensor.size();
  for (WireCursor cursor(tensor); cursor.next();) {
    const Payload* bulk =
        cursor.field().number == kPayloadField ? payloads.find(cursor.field().value) : nullptr;
    if (bulk != nullptr) bytes += bulk->record.size();
  }
  return bytes;
}

Result<std::vector<std::string>> read_strings(std::string_view skeleton, const Payloads& payloads) {
  TRY(tensor, read_tensor(skeleton, payloads));
  if (tensor.dtype != DType::kString) {
    return failure("bad-tensor", "expected strings; found " + dtype_name(tensor.dtype));
  }
  if (tensor.content.size() > stored_bytes(skeleton, payloads) + kChecksumSize) {
    return failure("bad-tensor", "expected a list of names; found one that repeats its last");
  }
  TRY(content, tensor.content.read_all());
  std::string_view rest = content;
  std::vector<uint64_t> lengths(static_cast<size_t>(tensor.count));
  for (uint64_t& length : lengths) {
    if (!take_varint(rest, length))
      return failure("bad-tensor", "the lengths of strings are cut short");
  }
  std::string_view check;
  if (!take_bytes(rest, kChecksumSize, check))
    return failure("bad-tensor", "strings are cut short");
  std::vector<std::string> strings;
  for (const uint64_t length : lengths) {
    std::string_view bytes;
    if (!take_bytes(rest, length, bytes)) return failure("bad-tensor", "strings are cut short");
    strings.emplace_back(bytes);
  }
  return strings;
}

std::string string_vector(const std::vector<std::string>& strings) {
  const Shape shape{.dims = {static_cast<int64_t>(strings.size())}};
  std::string proto = tensor_of_zeros(DType::kString, shape);
  for (const std::string& each : strings)
    put_bytes_field(proto, fields::TensorProto::kStringVal, each);
  return proto;
}

std::string string_scalar(std::string_view text) {
  std::string proto = tensor_of_zeros(DType::kString, {});
  put_bytes_field(proto, fields::TensorProto::kStringVal, text);
  return proto;
}

}  // namespace cryo
