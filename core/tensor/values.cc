#include "tensor/values.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>

#include "bytes/coding.h"
#include "bytes/joined_source.h"
#include "tensor/tensor_cursor.h"
#include "tensor/views/repeated_source.h"
#include "tensor/views/varint_source.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// A typed list, its chunks and single records joined in the order they come in.
struct List {
  Splice values = {};
  bool bulk = false;  // some of it is
};

// Bytes an entry of a list of fixed-width numbers; 0: the list is of varints.
uint32_t entry_size(uint32_t field) {
  switch (field) {
    case fields::TensorProto::kFloatVal:
    case fields::TensorProto::kScomplexVal:
      return 4;
    case fields::TensorProto::kDoubleVal:
    case fields::TensorProto::kDcomplexVal:
      return 8;
    default:
      return 0;
  }
}

// A packed chunk holds whole entries, as libprotobuf demands. For bulk varints that takes one
// byte's read.
Status check_chunk(const TensorCursor& chunk, uint32_t entry) {
  if (chunk.size() == 0) return Unit{};
  bool whole_entries = entry != 0 && chunk.size() % entry == 0;
  if (entry == 0) {
    const uint64_t last = chunk.size() - 1;
    char byte = 0;
    if (chunk.is_bulk()) {
      TRY(read, chunk.body().sub(last, 1).read_all());
      byte = read[0];
    } else {
      byte = chunk.bytes()[static_cast<size_t>(last)];
    }
    whole_entries = (byte & 0x80) == 0;
  }
  return whole_entries ? Status(Unit{}) : malformed_tensor("a packed list of numbers is cut short");
}

// Appends a single record, if it is one of this list.
void add_single(const TensorCursor& cursor, uint32_t field, uint32_t entry, std::string& out) {
  if (entry == 0 && cursor.is(field, WireType::kVarint)) put_varint(out, cursor.value());
  if (entry == 4 && cursor.is(field, WireType::kFixed32)) {
    put_fixed32(out, static_cast<uint32_t>(cursor.value()));
  }
  if (entry == 8 && cursor.is(field, WireType::kFixed64)) put_fixed64(out, cursor.value());
}

Result<List> read_list(std::string_view skeleton, const Payloads& payloads, uint32_t field) {
  const uint32_t entry = entry_size(field);
  List list;
  SpliceBuilder values;
  TensorCursor cursor(skeleton, payloads);
  while (cursor.next()) {
    if (!cursor.is(field, WireType::kBytes)) {
      add_single(cursor, field, entry, values.bytes());
      continue;
    }
    CHECK_OK(check_chunk(cursor, entry));
    cursor.append_to(values);
    list.bulk = list.bulk || cursor.is_bulk();
  }
  list.values = values.finish();
  return list;
}

// float8_val is one string of bytes, not a list: the last one counts.
Splice read_float8(std::string_view skeleton, const Payloads& payloads) {
  Splice values;
  for (TensorCursor cursor(skeleton, payloads); cursor.next();) {
    if (cursor.is(fields::TensorProto::kFloat8Val, WireType::kBytes)) values = cursor.body();
  }
  return values;
}

// Returns `count` elements, of which the first are given as plain bytes; the last of these repeats.
Splice fill(const Splice& values, uint64_t count, uint32_t size) {
  const uint64_t given = std::min(values.size() / size, count);
  if (given == 0) return Splice(repeated(fresh(std::string(1, '\0')), count * size));
  Splice content = values.sub(0, given * size);
  if (given == count) return content;
  content.append(repeated(as_slice(values.sub((given - 1) * size, size)), count - given));
  return content;
}

Splice decode(const List& list, const Tensor& tensor, uint32_t size) {
  const bool is_bool = tensor.dtype == DType::kBool;
  // A list with one byte for each bool is already plain: each is a one-byte varint.
  if (list.values.size() == 0 || (is_bool && list.bulk && list.values.size() == tensor.count)) {
    return fill(list.values, tensor.count, size);
  }
  const auto element = is_bool ? VarintSource::Element::kBool : VarintSource::Element::kInteger;
  return Splice(
      whole(std::make_shared<VarintSource>(as_slice(list.values), tensor.count, size, element)));
}

}  // namespace

Result<Splice> read_values(std::string_view skeleton, const Payloads& payloads,
                           const Tensor& tensor) {
  const DTypeInfo* type = find_dtype(tensor.dtype);
  assert(type != nullptr && type->size > 0);
  if (type->field == fields::TensorProto::kFloat8Val) {
    return fill(read_float8(skeleton, payloads), tensor.count, type->size);
  }
  TRY(list, read_list(skeleton, payloads, type->field));
  if (entry_size(type->field) != 0) return fill(list.values, tensor.count, type->size);
  return decode(list, tensor, type->size);
}

Result<StoredValues> stored_values(std::string_view skeleton, const Payloads& payloads,
                                   DType dtype) {
  const DTypeInfo* type = find_dtype(dtype);
  if (type == nullptr || type->size == 0) return StoredValues{};
  for (TensorCursor cursor(skeleton, payloads); cursor.next();) {
    if (!cursor.is(fields::TensorProto::kTensorContent, WireType::kBytes)) continue;
    if (cursor.size() > 0) return StoredValues{cursor.size() / type->size, true};
  }
  TRY(list, read_list(skeleton, payloads, type->field));
  if (const uint32_t entry = entry_size(type->field); entry != 0) {
    return StoredValues{list.values.size() / entry, false};
  }
  uint64_t count = 0;
  CHECK_OK(list.values.for_each_chunk([&](std::string_view chunk) -> Status {
    for (const char byte : chunk) count += (byte & 0x80) == 0 ? 1 : 0;  // the last of a varint
    return Unit{};
  }));
  return StoredValues{count, false};
}

}  // namespace cryo
