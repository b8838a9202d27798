#include "checkpoint/unmerged.h"

#include <limits>

#include "base/sort.h"
#include "base/text.h"

namespace cryo {
namespace {

constexpr std::string_view kTemp = "_temp";
constexpr std::string_view kPart = "part-";
constexpr std::string_view kOf = "-of-";
constexpr size_t kDigits = 5;

// Takes "00012" off the front.
std::optional<int> take_number(std::string_view& text) {
  if (text.size() < kDigits) return std::nullopt;
  int number = 0;
  for (const char digit : text.substr(0, kDigits)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + (digit - '0');
  }
  text.remove_prefix(kDigits);
  return number;
}

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

bool is_sliced(const IndexRecord& record) { return record.entry.slices_size() > 0; }

Failure unlike(std::string_view message, const std::string& file, const std::string& key = "") {
  return failure("bad-parts", message, {.file = file, .tensor = key},
                 "the parts are of different saves: open one by itself under another name");
}

}  // namespace

std::optional<PartName> part_name(std::string_view file) {
  std::string_view folder = folder_of(file);
  const size_t slash = folder.empty() ? 0 : folder.rfind('/', folder.size() - 2);
  const size_t last = slash == std::string_view::npos ? 0 : slash + 1;
  const size_t temp = folder.rfind(kTemp);
  const bool named = temp != std::string_view::npos && temp > last;
  std::string_view rest = base_name(file);
  if (!take(rest, kPart)) return std::nullopt;
  const auto part = take_number(rest);
  if (!part || !take(rest, kOf)) return std::nullopt;
  const auto count = take_number(rest);
  const bool ends = rest == ".index" || rest.starts_with(".data-");
  if (!count || !ends || *part >= *count) return std::nullopt;
  return PartName{named ? std::string(folder.substr(0, temp)) : cat(folder, "part"), *part, *count};
}

Result<CheckpointIndex> merge_indexes(std::vector<CheckpointIndex> parts, const std::string& file) {
  CheckpointIndex merged;
  int shards = 0;
  for (CheckpointIndex& part : parts) {
    const int more = part.header.num_shards();
    if (more > std::numeric_limits<int>::max() - shards) {
      return unlike("the parts together have more shards than there can be", file);
    }
    if (shards == 0) merged.header = part.header;
    if (merged.header.endianness() != part.header.endianness()) {
      return unlike("the parts are of different byte orders", file);
    }
    for (IndexRecord& record : part.records) {
      const int shard = record.entry.shard_id();
      // One out of range stays so.
      const bool known = shard >= 0 && shard < more;
      record.entry.set_shard_id(known ? shards + shard : -1);
      merged.records.push_back(std::move(record));
    }
    shards += more;
  }
  merged.header.set_num_shards(shards);
  auto& records = merged.records;
  sort(records, [](const IndexRecord& a, const IndexRecord& b) { return a.key < b.key; });
  size_t kept = 0;
  for (size_t i = 1; i < records.size(); ++i) {
    if (records[i].key != records[kept].key) {
      if (++kept != i) records[kept] = std::move(records[i]);
      continue;
    }
    if (!is_sliced(records[i]) || !is_sliced(records[kept])) {
      return unlike(cat("two parts hold the key ", printable_key(records[i].key)), file,
                    printable_key(records[i].key));
    }
    records[kept].entry.mutable_slices()->MergeFrom(records[i].entry.slices());
  }
  if (!records.empty())
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(kept) + 1, records.end());
  return merged;
}

}  // namespace cryo
