#include "checkpoint/checkpoint_data.h"

#include <algorithm>
#include <limits>

#include "base/reference.h"
#include "base/text.h"
#include "bytes/crc32c.h"
#include "checkpoint/big_endian.h"
#include "checkpoint/content_checksum.h"

namespace cryo {
namespace {

constexpr std::string_view kFix =
    "the index is damaged, or is not that of these data files: copy them again";

Failure bad_spec(std::string_view code, std::string_view message, const std::string& key) {
  return failure(code, message, {.tensor = key}, kFix);
}

// Fixed sizes must be exact. A string has at least its length's byte, a variant at least that and a
// checksum.
Status check_size(const tensorflow::BundleEntryProto& entry, const TensorSpec& spec,
                  const std::string& key) {
  const auto size = static_cast<uint64_t>(entry.size());
  const bool fixed = spec.element_size > 0;
  const uint64_t expected = fixed ? spec.bytes() : spec.elements;
  if (fixed ? size == expected : size >= expected) return Unit{};
  return bad_spec("bad-entry-size",
                  cat("Invalid size in bundle entry: key ", key, "; stored size ", size,
                      "; expected size ", fixed ? "" : "is at least ", expected),
                  key);
}

}  // namespace

Result<TensorSpec> read_spec(const IndexRecord& record, const std::string& key) {
  TensorSpec spec;
  spec.dtype = static_cast<DType>(record.entry.dtype());
  const DTypeInfo* info = find_dtype(spec.dtype);
  if (info == nullptr || is_ref(spec.dtype) || spec.dtype == DType::kResource) {
    return bad_spec("bad-entry-dtype",
                    cat("a checkpoint cannot hold a tensor of type ", dtype_name(spec.dtype)), key);
  }
  spec.element_size = info->size;
  Result<Shape> shape = read_shape(record.entry.shape());
  if (!shape) {
    return bad_spec("bad-entry-shape", cat("Invalid tensor shape: ", shape.error().message), key);
  }
  spec.shape = std::move(*shape);
  const Result<uint64_t> elements = element_count(spec.shape);
  if (!elements) {
    return bad_spec("bad-entry-shape", cat("Invalid tensor shape: ", elements.error().message),
                    key);
  }
  spec.elements = *elements;
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (spec.element_size > 0 && spec.elements > kMax / spec.element_size) {
    return bad_spec(
        "bad-entry-shape",
        cat("Invalid tensor shape: ", to_text(spec.shape), " takes more than 2^63 bytes"), key);
  }
  return spec;
}

CheckpointData::CheckpointData(const CheckpointIndex& index, std::string index_name,
                               FindShard find_shard, Checks* checks)
    : index_name_(std::move(index_name)),
      num_shards_(index.header.num_shards()),
      big_endian_(index.header.endianness() == tensorflow::BundleHeaderProto::BIG),
      checks_(checks) {
  for (const IndexRecord& record : index.records) {
    const int shard = record.entry.shard_id();
    // The record of a partitioned tensor as a whole has no bytes of its own.
    if (record.entry.slices_size() == 0 && shard >= 0 && shard < num_shards_) files_[shard] = {};
  }
  const std::string prefix = checkpoint_prefix(index_name_);
  for (auto& [shard, file] : files_) {
    file.source = find_shard(shard, num_shards_);
    if (file.source != nullptr)
      file.size = file.source->size();
    else
      missing_.emplace_back(base_name(checkpoint_shard_name(prefix, shard, num_shards_)));
  }
}

Result<CheckpointPart> CheckpointData::find_part(const IndexRecord& record, const TensorSpec& spec,
                                                 const std::string& key) const {
  const tensorflow::BundleEntryProto& entry = record.entry;
  if (entry.offset() < 0 || entry.size() < 0) {
    return fault("bad-entry-place",
                 cat("expected an offset and a size of 0 or more, found ", entry.offset(), " and ",
                     entry.size()),
                 key);
  }
  CHECK_OK(check_size(entry, spec, key));
  const auto file = files_.find(entry.shard_id());
  if (file == files_.end()) {
    return fault("bad-entry-place",
                 cat("expected a shard below ", num_shards_, ", found ", entry.shard_id()), key);
  }
  if (file->second.source == nullptr) {
    Failure missing = missing_shards();
    missing->where.tensor = key;
    return missing;
  }
  const auto offset = static_cast<uint64_t>(entry.offset());
  const auto size = static_cast<uint64_t>(entry.size());
  if (offset > file->second.size || size > file->second.size - offset) {
    return failure("outside-data",
                   cat("expected ", plural(size, "byte"), " at offset ", offset,
                       ", but the data file ends at ", file->second.size),
                   {.file = file->second.source->name(), .offset = offset, .tensor = key},
                   "the data file is incomplete, or is not this index's: copy both again" ADVICE(
                       "or-salvage"));
  }
  CheckpointPart part{{file->second.source, offset, size},
                      entry.shard_id(),
                      spec.elements,
                      entry.crc32c(),
                      big_endian_};
  add_check(part, spec, key);
  return part;
}

void CheckpointData::add_check(CheckpointPart& part, const TensorSpec& spec,
                               const std::string& key) const {
  const uint64_t size = part.bytes.size;
  std::unique_ptr<Sum> sum;
  if (spec.element_size > 0)
    sum = std::make_unique<CrcSum>(CrcSum::kCrc32c, size);
  else
    sum = std::make_unique<ContentSum>(spec.dtype, part.elements, big_endian_, size);
  part.check = make_check(checks_, part.bytes, unmask_crc(part.masked_crc), std::move(sum),
                          "the data file is damaged, or is not the index's: copy both again" ADVICE(
                              "or-unchecked") ADVICE("or-salvage"),
                          {key});
}

Result<Slice> CheckpointData::content(const CheckpointPart& part, const TensorSpec& spec,
                                      const std::string& key) const {
  if (!big_endian_) return part.checked_bytes();
  return content_of_big_endian(part, spec.dtype, key);
}

Failure CheckpointData::missing_shards() const {
  const uint64_t present = static_cast<uint64_t>(num_shards_) - missing_.size();
  return failure("missing-shard",
                 cat("has ", present, " of ", plural(static_cast<uint64_t>(num_shards_), "shard"),
                     "; missing ", join(missing_, ", ", 5)),
                 {.file = index_name_}, reference("give-files", join(missing_, ", ")));
}

Failure CheckpointData::fault(std::string_view code, std::string_view message,
                              const std::string& key) const {
  return failure(code, message, {.file = index_name_, .tensor = key}, kFix);
}

}  // namespace cryo
