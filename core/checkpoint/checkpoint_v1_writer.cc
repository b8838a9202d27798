#include "checkpoint/checkpoint_v1_writer.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/crc32c.h"
#include "checkpoint/tensor_slice.h"
#include "sstable/table_writer.h"
#include "tensor/strings.h"
#include "tensor/views/packed_source.h"
#include "wire/elide.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr uint64_t kV1Version = 1;  // TensorFlow's TF_CHECKPOINT_VERSION

constexpr std::string_view kOtherForm = "write a V2 checkpoint: " SETTING("--as", "checkpoint");

// A type that TensorFlow's reader of V1 checkpoints knows; `varint`: its values are varints there.
struct V1Type {
  DType dtype;
  bool varint;
};
constexpr std::array kTypes = {
    V1Type{DType::kFloat, false},     V1Type{DType::kDouble, false},
    V1Type{DType::kComplex64, false}, V1Type{DType::kComplex128, false},
    V1Type{DType::kString, false},    V1Type{DType::kHalf, true},
    V1Type{DType::kInt32, true},      V1Type{DType::kInt64, true},
    V1Type{DType::kInt16, true},      V1Type{DType::kInt8, true},
    V1Type{DType::kUint8, true},      V1Type{DType::kUint16, true},
    V1Type{DType::kBool, true},       V1Type{DType::kQint8, true},
    V1Type{DType::kQuint8, true},     V1Type{DType::kQint32, true},
};

// A record of the table.
struct Record {
  Splice value = {};
  uint32_t crc = 0;
};

// Returns the whole of a tensor, as a slice: no dimension has a start or a length.
std::string whole_slice(size_t rank) {
  std::string slice;
  for (size_t i = 0; i < rank; ++i) put_bytes_field(slice, fields::TensorSliceProto::kExtent, "");
  return slice;
}

Failure refused(std::string_view code, std::string_view message, const CheckpointEntry& entry) {
  return failure(code, message, {.tensor = entry.key}, kOtherForm);
}

Result<const V1Type*> type_of(const CheckpointEntry& entry) {
  if (entry.fault) return *entry.fault;
  if (!is_utf8(entry.key)) {
    return refused("bad-key", "expected a name in UTF-8 for a V1 checkpoint", entry);
  }
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const V1Type& type) { return type.dtype == entry.dtype; });
  if (found != kTypes.end()) return &*found;
  return refused(
      "unsupported-dtype",
      cat("TensorFlow reads no tensor of type ", dtype_name(entry.dtype), " from a V1 checkpoint"),
      entry);
}

// The list of values, as a TensorProto without type and shape; elided.
Result<std::string> values_of(const CheckpointEntry& entry, const V1Type& type,
                              Payloads& payloads) {
  TRY(count, element_count(entry.shape));
  std::string values;
  if (count == 0) return values;
  if (type.dtype == DType::kString) return values_of_strings(entry.content, count, payloads);
  const DTypeInfo& info = *find_dtype(type.dtype);
  if (entry.content.size() % info.size != 0 || entry.content.size() / info.size != count) {
    return refused("bad-entry-size",
                   cat("expected ", count, " elements of ", info.name, ", found ",
                       plural(entry.content.size(), "byte")),
                   entry);
  }
  Splice list = entry.content;
  if (type.varint) {
    TRY(packed, packed_varints(entry.content, type.dtype));
    list = Splice(std::move(packed));
  }
  put_varint_field(values, kPayloadField, payloads.add(make_payload(info.field, list)));
  return values;
}

// Returns the checksum of a value. If the value ends with the tensor's own bytes, whose checksum is
// known, only the bytes before them are read.
Result<uint32_t> checksum_of(const Splice& value, const CheckpointEntry& entry, bool ends_with) {
  const std::optional<uint32_t> known = ends_with ? known_checksum(entry) : std::nullopt;
  const uint64_t rest = known ? entry.content.size() : 0;
  uint32_t crc = 0;
  CHECK_OK(value.sub(0, value.size() - rest).for_each_chunk([&](std::string_view chunk) -> Status {
    crc = crc32c_extend(crc, chunk);
    return Unit{};
  }));
  return known ? crc32c_combine(crc, unmask_crc(*known), rest) : crc;
}

Result<Record> record_of(const CheckpointEntry& entry) {
  TRY(type, type_of(entry));
  Payloads payloads;
  TRY(values, values_of(entry, *type, payloads));
  std::string data;
  put_bytes_field(data, fields::SavedSliceMeta::kName, entry.key);
  put_bytes_field(data, fields::SavedSlice::kSlice, whole_slice(entry.shape.dims.size()));
  put_bytes_field(data, fields::SavedSlice::kData, values);
  std::string message;
  put_bytes_field(message, fields::SavedTensorSlices::kData, data);
  auto value = expand(std::move(message), message_schema("tensorflow.SavedTensorSlices"), payloads);
  if (!value) return refused("too-large", value.error().message, entry);
  const bool raw = !type->varint && type->dtype != DType::kString && entry.content.size() > 0;
  TRY(crc, checksum_of(*value, entry, raw));
  return Record{std::move(*value), crc};
}

using Entries = std::span<const CheckpointEntry* const>;

std::string meta_of(Entries entries) {
  std::string meta;
  for (const CheckpointEntry* entry : entries) {
    std::string tensor;
    put_bytes_field(tensor, fields::SavedSliceMeta::kName, entry->key);
    put_bytes_field(tensor, fields::SavedSliceMeta::kShape, shape_message(entry->shape));
    put_varint_field(tensor, fields::SavedSliceMeta::kType, static_cast<uint64_t>(entry->dtype));
    put_bytes_field(tensor, fields::SavedSliceMeta::kSlice, whole_slice(entry->shape.dims.size()));
    put_bytes_field(meta, fields::SavedTensorSliceMeta::kTensor, tensor);
  }
  std::string versions;
  put_varint_field(versions, fields::VersionDef::kProducer, kV1Version);
  put_bytes_field(meta, fields::SavedTensorSliceMeta::kVersions, versions);
  std::string message;
  put_bytes_field(message, fields::SavedTensorSlices::kMeta, meta);
  return message;
}

// Writes a table. Each one describes only the tensors that it holds.
Result<Splice> table_of(Entries entries) {
  std::map<std::string, Record> records;
  for (const CheckpointEntry* entry : entries) {
    TRY(record, record_of(*entry));
    const std::vector<Extent> whole(entry->shape.dims.size());
    records.emplace(slice_key(entry->key, whole), std::move(record));
  }
  TableWriter table;
  table.add("", meta_of(entries));
  for (const auto& [key, record] : records) table.add(key, record.value, record.crc);
  return table.finish();
}

// How many of the first entries go into a table together.
size_t count_in_one(Entries entries, uint64_t shard_size) {
  uint64_t room = shard_size;
  size_t count = 0;
  for (; count < entries.size(); ++count) {
    const uint64_t size = entries[count]->content.size();
    if (shard_size > 0 && count > 0 && size > room) break;
    room -= std::min(size, room);
  }
  return count;
}

}  // namespace

Result<std::vector<Splice>> write_checkpoint_v1(const std::vector<const CheckpointEntry*>& entries,
                                                uint64_t shard_size) {
  std::vector<Splice> tables;
  Entries left = entries;
  do {
    const size_t count = count_in_one(left, shard_size);
    TRY(table, table_of(left.first(count)));
    tables.push_back(std::move(table));
    left = left.subspan(count);
  } while (!left.empty());
  return tables;
}

}  // namespace cryo
