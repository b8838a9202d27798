#include "checkpoint/checkpoint.h"

#include <algorithm>

#include "base/sort.h"
#include "base/text.h"
#include "bytes/crc32c.h"

namespace cryo {
namespace {

constexpr std::string_view kIndexEnding = ".index";

// At least five digits.
std::string numbered(int number) {
  const std::string digits = std::to_string(number);
  return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
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
  for (const auto& check : entry.checks) CHECK_OK(check->finish());
  return Unit{};
}

std::optional<uint32_t> known_checksum(const CheckpointEntry& entry) {
  if (entry.parts.empty()) return std::nullopt;
  Splice in_order;
  uint32_t crc = 0;
  for (const CheckpointPart& part : entry.parts) {
    in_order.append(part.checked_bytes());
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

Splice checked_file(const Checkpoint& checkpoint, const SourcePtr& file) {
  std::vector<const CheckpointPart*> parts;
  for (const CheckpointEntry& entry : checkpoint.entries) {
    for (const CheckpointPart& part : entry.parts) {
      if (part.bytes.source == file && part.check != nullptr) parts.push_back(&part);
    }
  }
  sort(parts, [](const CheckpointPart* a, const CheckpointPart* b) {
    return a->bytes.offset < b->bytes.offset;
  });
  Splice all;
  for (const CheckpointPart* part : parts) {
    part->check->need();
    if (part->bytes.offset < all.size()) continue;  // tensors that share bytes
    all.append({file, all.size(), part->bytes.offset - all.size()});
    all.append(whole(part->check));
  }
  all.append({file, all.size(), file->size() - all.size()});
  return all;
}

std::string checkpoint_shard_name(std::string_view prefix, int shard, int num_shards) {
  return cat(prefix, ".data-", numbered(shard), "-of-", numbered(num_shards));
}

std::string checkpoint_prefix(std::string_view index_name) {
  if (index_name.ends_with(kIndexEnding)) index_name.remove_suffix(kIndexEnding.size());
  return std::string(index_name);
}

}  // namespace cryo
