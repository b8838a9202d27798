#include "checkpoint/checkpoint_index.h"

#include <algorithm>

#include "base/text.h"
#include "sstable/table_reader.h"
#include "sstable/table_salvage.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

constexpr std::string_view kNoIndex =
    "give a V2 checkpoint's .index file; if it is one, it is damaged: copy or write it again";

Failure bad_header(const std::string& file, std::string_view detail) {
  return failure("bad-checkpoint-header",
                 cat("Unable to read file (", file,
                     "). Perhaps the file is corrupt or was produced by a "
                     "newer version of TensorFlow with format changes (",
                     detail, ")"),
                 {.file = file}, kNoIndex);
}

Status check_version(const tensorflow::VersionDef& version, const std::string& file) {
  const auto& bad = version.bad_consumers();
  const bool banned = std::find(bad.begin(), bad.end(), kCheckpointVersion) != bad.end();
  if (version.min_consumer() <= kCheckpointVersion && version.producer() >= 0 && !banned)
    return Unit{};
  return failure("checkpoint-version",
                 cat("Checkpoint min consumer version ", version.min_consumer(),
                     " above current version ", kCheckpointVersion, " for TensorFlow"),
                 {.file = file}, "save the checkpoint again with a released TensorFlow");
}

Status check_header(const tensorflow::BundleHeaderProto& header, const std::string& file) {
  if (header.num_shards() < 1) {
    return bad_header(file, cat("expected 1 shard or more, found ", header.num_shards()));
  }
  CHECK_OK(check_version(header.version(), file));
  const bool known = header.endianness() == tensorflow::BundleHeaderProto::LITTLE ||
                     header.endianness() == tensorflow::BundleHeaderProto::BIG;
  if (known) return Unit{};
  return bad_header(
      file, cat("expected an endianness of 0 or 1, found ", static_cast<int>(header.endianness())));
}

bool parse(std::string_view bytes, google::protobuf::MessageLite& message) {
  return bytes.size() <= kMaxMessageBytes &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string printable_key(std::string_view key) {
  std::string text(key);
  std::replace_if(
      text.begin(), text.end(),
      [](char byte) { return (byte >= 0 && byte < 0x20) || byte == 0x7F; }, '?');
  return text;
}

const IndexRecord* CheckpointIndex::find(std::string_view key) const {
  const auto place = std::lower_bound(
      records.begin(), records.end(), key,
      [](const IndexRecord& record, std::string_view k) { return record.key < k; });
  return place != records.end() && place->key == key ? &*place : nullptr;
}

Result<CheckpointIndex> read_checkpoint_index(const SourcePtr& source, DamagedParts* losses) {
  CheckpointIndex index;
  bool first = true;
  const auto lose_header = [&] {
    const Failure why = failure("bad-checkpoint-header",
                                "the header is lost: the data files that are there, and "
                                "little-endian numbers, are assumed",
                                {.file = source->name()}, kNoIndex);
    losses->push_back({kLostHeader, "", 0, *why});
    first = false;
  };
  const auto take = [&](std::string_view key, std::string_view value) -> Status {
    if (first && !key.empty() && losses != nullptr) lose_header();
    if (first) {
      if (!key.empty()) return bad_header(source->name(), "failed to seek to header entry");
      if (!parse(value, index.header)) {
        return bad_header(source->name(), "unable to parse header");
      }
      first = false;
      return check_header(index.header, source->name());
    }
    index.records.push_back({std::string(key), {}});
    if (parse(value, index.records.back().entry)) return Unit{};
    return failure("bad-checkpoint-entry",
                   cat("Entry for key ", printable_key(key), " not parseable."),
                   {.file = source->name(), .tensor = printable_key(key)}, kNoIndex);
  };
  CHECK_OK(losses == nullptr ? for_each_entry(*source, take)
                             : for_each_whole_entry(source, take, *losses));
  if (first) return bad_header(source->name(), "failed to seek to header entry");
  return index;
}

}  // namespace cryo
