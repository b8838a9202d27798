#include "checkpoint/checkpoint_v1.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.h"
#include "bytes/joined_source.h"
#include "checkpoint/checkpoint_slices.h"
#include "checkpoint/join_slices.h"
#include "sstable/value_slices.h"
#include "tensor/content.h"
#include "wire/cursor.h"
#include "wire/elide.h"
#include "wire/fields.h"

namespace cryo {
namespace {

using Extents = std::vector<Extent>;

// A tensor as the tables describe it.
struct Described {
  DType dtype = DType::kInvalid;
  Shape shape = {};
  std::vector<Extents> slices = {};
};

constexpr std::string_view kAgain = "the checkpoint is damaged: copy or write it again";

Failure damaged(std::string_view message, const std::string& tensor) {
  return failure("bad-v1-checkpoint", message, {.tensor = tensor}, kAgain);
}

class V1Reader {
 public:
  V1Reader(Checks* checks, DamagedParts* losses) : checks_(checks), losses_(losses) {}

  Status add(const SourcePtr& file);
  CheckpointEntry entry(const std::string& name, const Described& tensor);
  const std::map<std::string, Described>& tensors() const { return tensors_; }

 private:
  Status check_description(const StoredValue& value);
  Status describe(const StoredValue& value);
  Status describe_tensor(std::string_view saved_slice_meta);
  Result<Tensor> values_of(CheckpointEntry& entry, const Shape& shape, const Extents& slice);
  Status fill(CheckpointEntry& entry, const Described& tensor);

  std::map<std::string, Described> tensors_;
  std::map<std::string, StoredValue, std::less<>> records_;  // by slice key
  Checks* checks_;
  DamagedParts* losses_;
};

// Returns the payloads, checked when they are read. Handles are unchanged.
Payloads checked(const Payloads& stored, const StoredValue& value) {
  Payloads all;
  for (uint32_t i = 0; i < stored.size(); ++i) {
    const Payload& payload = *stored.find(i);
    Payload made{payload.field, payload.header, {}};
    for (const Slice& piece : payload.record.pieces()) made.record.append(value.checked(piece));
    all.add(std::move(made));
  }
  return all;
}

// Values, some of which were read with the record's structure, as bytes that need its block's
// check.
Splice dependent(const Splice& content, const StoredValue& value) {
  Splice all;
  for (const Slice& piece : content.pieces()) {
    const bool is_checked = piece.source == value.block;
    all.append(is_checked ? piece : whole(std::make_shared<DependentSource>(piece, value.block)));
  }
  return all;
}

Status V1Reader::add(const SourcePtr& file) {
  Failure undescribed = failure("bad-v1-checkpoint", "the description of the tensors is lost",
                                {.file = file->name()}, kAgain);
  const auto visit = [&](std::string_view key, const StoredValue& value) -> Status {
    if (!key.empty()) {
      records_.emplace(std::string(key), value);
      return Unit{};
    }
    Status described = describe(value);
    if (!described && (losses_ == nullptr || !is_of_file(described.error().code))) return described;
    undescribed = described ? nullptr : std::move(described).failure();
    return Unit{};
  };
  CHECK_OK(for_each_value(file, visit, checks_, losses_));
  if (undescribed == nullptr || losses_ == nullptr) return Unit{};
  if (tensors_.empty()) return undescribed;
  losses_->push_back({kLostHeader, "", 0, *undescribed});
  return Unit{};
}

// The description of a damaged block is used, and reported: it is the only one.
Status V1Reader::check_description(const StoredValue& value) {
  if (losses_ == nullptr || value.block == nullptr) return Unit{};
  const Status right = value.block->finish();
  if (right) return Unit{};
  Diagnostic why = right.error();
  if (!is_of_file(why.code)) return why;
  why.message += ": names, types and shapes of the tensors are taken as they are";
  losses_->push_back({kLostHeader, "", 0, std::move(why)});
  return Unit{};
}

Status V1Reader::describe(const StoredValue& value) {
  CHECK_OK(check_description(value));
  Payloads bulk;
  TRY(message, elide(value.bytes, message_schema("tensorflow.SavedTensorSlices"), bulk));
  const std::string_view meta = last_bytes(message, fields::SavedTensorSlices::kMeta);
  for (WireCursor cursor(meta); cursor.next();) {
    if (cursor.field().number == fields::SavedTensorSliceMeta::kTensor)
      CHECK_OK(describe_tensor(cursor.field().bytes));
  }
  return Unit{};
}

Status V1Reader::describe_tensor(std::string_view saved_slice_meta) {
  Described tensor;
  for (WireCursor cursor(saved_slice_meta); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::SavedSliceMeta::kType)
      tensor.dtype = static_cast<DType>(static_cast<int>(field.value));
    if (field.number != fields::SavedSliceMeta::kSlice) continue;
    tensorflow::TensorSliceProto slice;
    (void)slice.ParseFromString(std::string(field.bytes));
    tensor.slices.push_back(read_slice(slice));
  }
  tensorflow::TensorShapeProto proto;
  (void)proto.ParseFromString(
      std::string(last_bytes(saved_slice_meta, fields::SavedSliceMeta::kShape)));
  TRY(shape, read_shape(proto));
  tensor.shape = std::move(shape);
  const std::string name(last_bytes(saved_slice_meta, fields::SavedSliceMeta::kName));
  const auto [known, fresh] = tensors_.emplace(name, tensor);
  if (fresh) return Unit{};
  // The tables of several shards name the tensor each with the slices it has.
  if (known->second.dtype != tensor.dtype || known->second.shape != tensor.shape) {
    return damaged("two tables describe a tensor differently", name);
  }
  known->second.slices.insert(known->second.slices.end(), tensor.slices.begin(),
                              tensor.slices.end());
  return Unit{};
}

// Reads the values of a slice. The record has only the list of values; type and shape come from the
// description.
Result<Tensor> V1Reader::values_of(CheckpointEntry& entry, const Shape& shape,
                                   const Extents& slice) {
  const auto record = records_.find(slice_key(entry.key, slice));
  if (record == records_.end()) {
    return damaged("a slice that the description names has no values", entry.key);
  }
  const StoredValue& value = record->second;
  Payloads stored;
  TRY(message, elide(value.bytes, message_schema("tensorflow.SavedTensorSlices"), stored));
  std::string proto;
  put_varint_field(proto, fields::TensorProto::kDtype, static_cast<uint64_t>(entry.dtype));
  put_bytes_field(proto, fields::TensorProto::kTensorShape, shape_message(shape));
  for (WireCursor cursor(last_bytes(last_bytes(message, fields::SavedTensorSlices::kData),
                                    fields::SavedSlice::kData));
       cursor.next();) {
    const uint32_t number = cursor.field().number;
    if (number != fields::TensorProto::kDtype && number != fields::TensorProto::kTensorShape)
      proto += cursor.field().record;
  }
  TRY(tensor, read_tensor(proto, checked(stored, value)));
  if (value.block == nullptr) return std::move(tensor);
  const std::vector<std::string>& known = value.block->tensors();
  if (known.empty() || known.back() != entry.key) value.block->add_tensor(entry.key);
  entry.checks.push_back(value.block);
  tensor.content = dependent(tensor.content, value);
  return std::move(tensor);
}

Status V1Reader::fill(CheckpointEntry& entry, const Described& tensor) {
  CHECK_OK(element_count(tensor.shape));
  if (tensor.slices.size() == 1 && covers_all(tensor.slices[0])) {
    TRY(whole, values_of(entry, tensor.shape, tensor.slices[0]));
    entry.content = std::move(whole.content);
    return Unit{};
  }
  if (tensor.slices.size() > kMaxSlices) return damaged("there are too many slices", entry.key);
  const std::vector<uint64_t> dims(tensor.shape.dims.begin(), tensor.shape.dims.end());
  const DTypeInfo* type = find_dtype(tensor.dtype);
  if (type == nullptr || type->size == 0 || dims.empty()) {
    return damaged("tensors of this type have no slices", entry.key);
  }
  std::vector<Box> boxes;
  std::vector<StoredSlice> stored;
  std::set<std::string> met;  // a slice that two tables have counts once
  for (const Extents& slice : tensor.slices) {
    const std::optional<Box> box = resolve(slice, dims);
    if (!box) return damaged("a slice leaves the tensor", entry.key);
    if (!met.insert(slice_key(entry.key, slice)).second) continue;
    Shape shape;
    for (const Range& range : *box) shape.dims.push_back(static_cast<int64_t>(range.size));
    TRY(part, values_of(entry, shape, slice));
    boxes.push_back(*box);
    stored.push_back({*box, as_slice(part.content)});
  }
  if (!tile(std::move(boxes), dims)) {
    return damaged("the slices do not make the whole tensor, or they overlap", entry.key);
  }
  entry.content = join_slices(dims, type->size, stored);
  return Unit{};
}

CheckpointEntry V1Reader::entry(const std::string& name, const Described& tensor) {
  CheckpointEntry made;
  made.key = name;
  made.dtype = tensor.dtype;
  made.shape = tensor.shape;
  Status filled = fill(made, tensor);
  if (!filled) made.fault = std::move(filled).failure();
  made.bytes = made.content.size();
  return made;
}

}  // namespace

Result<Checkpoint> read_checkpoint_v1(const std::vector<SourcePtr>& files,
                                      const std::string& prefix, Diagnostics& diagnostics,
                                      Checks* checks, DamagedParts* losses) {
  V1Reader reader(checks, losses);
  for (const SourcePtr& file : files) CHECK_OK(reader.add(file));
  Checkpoint checkpoint;
  checkpoint.prefix = prefix;
  checkpoint.num_shards = static_cast<int>(files.size());
  for (const auto& tensor : reader.tensors()) {
    checkpoint.entries.push_back(reader.entry(tensor.first, tensor.second));
    const CheckpointEntry& entry = checkpoint.entries.back();
    if (entry.fault) diagnostics.add(*entry.fault);
  }
  return checkpoint;
}

std::string v1_shard_name(std::string_view prefix, int shard, int num_shards) {
  const std::string name = checkpoint_shard_name(prefix, shard, num_shards);
  return cat(prefix, name.substr(prefix.size() + std::string_view(".data").size()));
}

std::string prefix_of_v1(std::string_view file) {
  constexpr std::string_view kPattern = "-00000-of-00000";
  if (file.size() <= kPattern.size()) return std::string(file);
  const std::string_view end = file.substr(file.size() - kPattern.size());
  for (size_t i = 0; i < end.size(); ++i) {
    const bool digit = (end[i] >= '0' && end[i] <= '9') || end[i] == '?';
    if (kPattern[i] == '0' ? !digit : end[i] != kPattern[i]) return std::string(file);
  }
  return std::string(file.substr(0, file.size() - kPattern.size()));
}

}  // namespace cryo
