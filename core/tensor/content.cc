#include "tensor/content.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "proto/tensor.pb.h"
#include "tensor/strings.h"
#include "tensor/tensor_cursor.h"
#include "tensor/values.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kDamaged = "the file is damaged: get it again from its source";

Failure bad_tensor(std::string_view message, const Splice& content) {
  LocationRef where;
  if (!content.pieces().empty() && !content.pieces().front().source->name().empty()) {
    where.file = content.pieces().front().source->name();
    where.offset = content.pieces().front().offset;
  }
  return failure("bad-tensor", message, where, kDamaged);
}

// "float32 [2,3]"
std::string describe(const Tensor& tensor) {
  return cat(dtype_name(tensor.dtype), " ", to_text(tensor.shape));
}

// All of a TensorProto but its typed lists. The tensor's content is that of tensor_content.
struct TensorHead {
  Tensor tensor = {};
  bool bulk = false;  // tensor_content is
};

Status set_shape(Tensor& tensor, const std::string& bytes) {
  tensorflow::TensorShapeProto proto;
  if (!proto.ParseFromString(bytes)) return malformed_tensor("its shape cannot be read");
  // TensorFlow ignores it if the shape has to be fully defined; some old files have it.
  proto.clear_unknown_rank();
  TRY(shape, read_shape(proto));
  tensor.shape = std::move(shape);
  return Unit{};
}

Result<TensorHead> read_head(std::string_view skeleton, const Payloads& payloads) {
  TensorHead head;
  std::string shape;  // a message that comes twice is merged, and joining the bytes merges
  TensorCursor cursor(skeleton, payloads);
  while (cursor.next()) {
    if (cursor.is(fields::TensorProto::kDtype, WireType::kVarint)) {
      head.tensor.dtype = static_cast<DType>(static_cast<int32_t>(cursor.value()));
    } else if (cursor.is(fields::TensorProto::kTensorShape, WireType::kBytes)) {
      shape += cursor.bytes();
    } else if (cursor.is(fields::TensorProto::kTensorContent, WireType::kBytes)) {
      head.tensor.content = cursor.body();
      head.bulk = cursor.is_bulk();
    }
  }
  if (!cursor.ok()) return malformed_tensor("a field is cut short");
  CHECK_OK(set_shape(head.tensor, shape));
  return head;
}

// The type of a tensor that has plain content.
Result<const DTypeInfo*> plain_type(DType dtype) {
  const DTypeInfo* type = find_dtype(dtype);
  if (type == nullptr || is_ref(dtype)) {
    return failure("bad-dtype", cat("expected the type of a value; found ", dtype_name(dtype)), {},
                   type == nullptr ? "the file is damaged, or of a later TensorFlow" : "");
  }
  if (dtype == DType::kResource || dtype == DType::kVariant) {
    return failure("unsupported-dtype",
                   cat("a tensor of type ", type->name, " has no content that could be stored"));
  }
  return type;
}

// Sets count, after which count * size does not overflow.
Status set_count(Tensor& tensor, const DTypeInfo& type) {
  TRY(count, element_count(tensor.shape));
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (count > kMax / std::max(type.size, 1U)) {
    return bad_tensor(
        cat("the tensor ", describe(tensor), " has more bytes than 64 bits can count"), {});
  }
  tensor.count = count;
  return Unit{};
}

Status check_size(const Tensor& tensor, const DTypeInfo& type) {
  const uint64_t expected = tensor.count * type.size;
  if (tensor.content.size() == expected) return Unit{};
  return bad_tensor(cat("expected ", plural(expected, "byte"), " of content for ", describe(tensor),
                        "; found ", tensor.content.size()),
                    tensor.content);
}

Status check_bools(const Tensor& tensor) {
  return tensor.content.for_each_chunk([&](std::string_view chunk) -> Status {
    const auto is_bool = [](char byte) { return byte == 0 || byte == 1; };
    if (std::all_of(chunk.begin(), chunk.end(), is_bool)) return Unit{};
    return bad_tensor(cat("expected bytes 0 and 1 in the content of ", describe(tensor)), {});
  });
}

// A tensor without elements; strings have the checksum of no lengths.
Splice empty_content(DType dtype) {
  if (dtype != DType::kString) return {};
  std::string checksum;
  put_fixed32(checksum, mask_crc(0));
  return Splice(fresh(std::move(checksum)));
}

}  // namespace

Result<Tensor> read_tensor(std::string_view skeleton, const Payloads& payloads) {
  TRY(head, read_head(skeleton, payloads));
  Tensor& tensor = head.tensor;
  TRY(type, plain_type(tensor.dtype));
  CHECK_OK(set_count(tensor, *type));
  const bool raw = tensor.content.size() > 0;
  if (tensor.count == 0) {
    tensor.content = empty_content(tensor.dtype);
  } else if (tensor.dtype == DType::kString) {
    TRY(strings, raw ? strings_of_content(tensor.content, tensor.count)
                     : strings_of_values(skeleton, payloads, tensor.count));
    tensor.content = std::move(strings);
  } else if (raw) {
    CHECK_OK(check_size(tensor, *type));
    if (tensor.dtype == DType::kBool && !head.bulk) CHECK_OK(check_bools(tensor));
  } else {
    TRY(values, read_values(skeleton, payloads, tensor));
    tensor.content = std::move(values);
  }
  return std::move(tensor);
}

std::string tensor_of_zeros(DType dtype, const Shape& shape) {
  std::string proto;
  put_varint_field(proto, fields::TensorProto::kDtype, static_cast<uint64_t>(dtype));
  put_bytes_field(proto, fields::TensorProto::kTensorShape, shape_message(shape));
  return proto;
}

Result<std::string> const_tensor(DType dtype, const Shape& shape, const Splice& plain_content,
                                 Payloads& payloads) {
  TRY(type, plain_type(dtype));
  Tensor tensor{dtype, shape, 0, plain_content};
  CHECK_OK(set_count(tensor, *type));
  std::string skeleton = tensor_of_zeros(dtype, shape);
  if (dtype == DType::kString) {
    TRY(records, values_of_strings(plain_content, tensor.count, payloads));
    return skeleton + records;
  }
  CHECK_OK(check_size(tensor, *type));
  if (tensor.count > 0) {
    const uint32_t handle =
        payloads.add(make_payload(fields::TensorProto::kTensorContent, plain_content));
    put_varint_field(skeleton, kPayloadField, handle);
  }
  return skeleton;
}

std::optional<std::vector<int64_t>> integers_of(const Tensor& tensor) {
  const bool wide = tensor.dtype == DType::kInt64;
  if (!wide && tensor.dtype != DType::kInt32) return std::nullopt;
  const auto content = tensor.content.read_all();
  if (!content) return std::nullopt;
  std::vector<int64_t> values;
  std::string_view rest = *content;
  for (uint64_t i = 0; i < tensor.count; ++i) {
    uint32_t low = 0;
    uint32_t high = 0;
    if (!take_fixed32(rest, low) || (wide && !take_fixed32(rest, high))) return std::nullopt;
    const uint64_t whole = (static_cast<uint64_t>(high) << 32) | low;
    values.push_back(wide ? static_cast<int64_t>(whole) : static_cast<int32_t>(low));
  }
  return values;
}

}  // namespace cryo
