#include "checkpoint/checkpoint_writer.h"

#include <algorithm>

#include "base/text.h"
#include "bytes/crc32c.h"
#include "checkpoint/checkpoint_index.h"
#include "checkpoint/content_checksum.h"
#include "checkpoint/tensor_slice.h"
#include "sstable/table_writer.h"

namespace cryo {
namespace {

Failure refused(std::string_view code, std::string_view message, const std::string& key) {
  return failure(code, message, {.tensor = key});
}

// Returns the number of elements of `content`; fails if it does not fit the type and shape.
Result<uint64_t> check_content(const std::string& key, DType dtype, const Shape& shape,
                               const Splice& content) {
  const DTypeInfo* info = find_dtype(dtype);
  if (info == nullptr || is_ref(dtype) || dtype == DType::kResource) {
    return refused("bad-entry-dtype",
                   cat("a checkpoint cannot hold a tensor of type ", dtype_name(dtype)), key);
  }
  TRY(elements, element_count(shape));
  const bool fits = info->size == 0 ||
                    (content.size() % info->size == 0 && content.size() / info->size == elements);
  if (fits) return elements;
  return refused("bad-entry-size",
                 cat("expected ", elements, " elements of ", dtype_name(dtype), ", found ",
                     plural(content.size(), "byte")),
                 key);
}

}  // namespace

Status CheckpointWriter::add(std::string key, DType dtype, const Shape& shape,
                             const Splice& content) {
  TRY(elements, check_content(key, dtype, shape, content));
  ContentChecksum checksum(dtype, elements);
  CHECK_OK(content.for_each_chunk([&](std::string_view chunk) { return checksum.update(chunk); }));
  TRY(crc, checksum.finish());
  return put(std::move(key), dtype, shape, content, mask_crc(crc));
}

Status CheckpointWriter::add(const CheckpointEntry& entry) {
  if (entry.fault) return *entry.fault;
  const std::optional<uint32_t> known = known_checksum(entry);
  if (known) return put(entry.key, entry.dtype, entry.shape, entry.content, *known);
  return add(entry.key, entry.dtype, entry.shape, entry.content);
}

CheckpointFiles CheckpointWriter::finish() {
  tensorflow::BundleHeaderProto header;
  header.set_num_shards(static_cast<int>(shards_.size()));
  header.mutable_version()->set_producer(kCheckpointVersion);
  TableWriter table;
  table.add("", header.SerializeAsString());
  for (const auto& [key, entry] : entries_) table.add(key, entry.SerializeAsString());
  return {table.finish(), std::move(shards_)};
}

Status CheckpointWriter::put(std::string key, DType dtype, const Shape& shape,
                             const Splice& content, uint32_t masked_crc) {
  if (key.empty() || is_slice_key(key)) {
    return refused("bad-key",
                   "expected a key that is not empty and does not begin with a zero byte", key);
  }
  if (entries_.contains(key))
    return refused("duplicate-key", cat("Adding duplicate key: ", key), key);
  tensorflow::BundleEntryProto& entry = entries_[std::move(key)];
  entry.set_dtype(static_cast<tensorflow::DataType>(dtype));
  *entry.mutable_shape() = to_proto(shape);
  const uint64_t begun = shards_.back().size();
  const uint64_t room = shard_size_ - std::min(begun, shard_size_);
  if (shard_size_ > 0 && begun > 0 && content.size() > room) shards_.emplace_back();
  entry.set_shard_id(static_cast<int>(shards_.size() - 1));
  entry.set_offset(static_cast<int64_t>(shards_.back().size()));
  entry.set_size(static_cast<int64_t>(content.size()));
  entry.set_crc32c(masked_crc);
  shards_.back().append(content);
  return Unit{};
}

}  // namespace cryo
