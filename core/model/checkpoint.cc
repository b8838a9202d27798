#include "model/checkpoint.h"

#include <algorithm>

#include "base/text.h"
#include "bytes/crc32c.h"
#include "model/content_checksum.h"

namespace cryo {
namespace {

constexpr std::string_view kIndexEnding = ".index";

// At least five digits.
std::string numbered(int number) {
  const std::string digits = std::to_string(number);
  return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
}

Failure at(Failure error, const CheckpointPart& part, const CheckpointEntry& entry) {
  if (error->where.file.empty()) {
    error->where = {.file = part.bytes.source->name(), .offset = part.bytes.offset};
  }
  error->where.tensor = entry.key;
  return error;
}

Status verify_part(const CheckpointPart& part, const CheckpointEntry& entry) {
  ContentChecksum checksum(entry.dtype, part.elements, part.big_endian);
  Status status = Splice(part.bytes).for_each_chunk([&](std::string_view chunk) {
    return checksum.update(chunk);
  });
  if (!status) return at(std::move(status).failure(), part, entry);
  Result<uint32_t> computed = checksum.finish();
  if (!computed) return at(std::move(computed).failure(), part, entry);
  const uint32_t stored = unmask_crc(part.masked_crc);
  if (stored == *computed) return Unit{};
  return at(failure("checksum",
                    cat("shard ", part.shard, " (", plural(part.bytes.size, "byte"),
                        "): Checksum does not match: stored ", stored,
                        " vs. calculated on the restored bytes ", *computed),
                    {}, "the data file is damaged, or is not the index's: copy both again"),
            part, entry);
}

}  // namespace

const CheckpointEntry* Checkpoint::find(std::string_view key) const {
  const auto place = std::lower_bound(
      entries.begin(), entries.end(), key,
      [](const CheckpointEntry& entry, std::string_view k) { return entry.key < k; });
  return place != entries.end() && place->key == key ? &*place : nullptr;
}

Status verify(const CheckpointEntry& entry) {
  if (entry.fault) return *entry.fault;
  for (const CheckpointPart& part : entry.parts) CHECK_OK(verify_part(part, entry));
  return Unit{};
}

std::optional<uint32_t> known_checksum(const CheckpointEntry& entry) {
  if (entry.parts.empty()) return std::nullopt;
  Splice in_order;
  uint32_t crc = 0;
  for (const CheckpointPart& part : entry.parts) {
    in_order.append(part.bytes);
    crc = crc32c_combine(crc, unmask_crc(part.masked_crc), part.bytes.size);
  }
  const auto same = [](const Slice& a, const Slice& b) {
    return a.source == b.source && a.offset == b.offset && a.size == b.size;
  };
  const auto& wanted = entry.content.pieces();
  const bool alike = std::equal(wanted.begin(), wanted.end(), in_order.pieces().begin(),
                                in_order.pieces().end(), same);
  return alike ? std::optional<uint32_t>(mask_crc(crc)) : std::nullopt;
}

std::string checkpoint_shard_name(std::string_view prefix, int shard, int num_shards) {
  return cat(prefix, ".data-", numbered(shard), "-of-", numbered(num_shards));
}

std::string checkpoint_prefix(std::string_view index_name) {
  if (index_name.ends_with(kIndexEnding)) index_name.remove_suffix(kIndexEnding.size());
  return std::string(index_name);
}

}  // namespace cryo
