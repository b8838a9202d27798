#include "sstable/table_salvage.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"

namespace cryo {
namespace {

constexpr std::string_view kAgain = "the file is damaged: copy or download it again";

// The largest table that is looked through without its index.
constexpr uint64_t kMostSearched = uint64_t{256} << 20;

// The most effort (BlockForm::effort()) that is spent, in addition to a part of the file's size.
constexpr uint64_t kMostEffort = uint64_t{4} << 20;

// Longer keys are no names.
constexpr uint64_t kMostKey = uint64_t{1} << 20;

// The whole blocks met so far.
class WholeBlocks {
 public:
  WholeBlocks(const ByteSource& source, EntryVisitor visit, Losses& losses)
      : source_(source), visit_(visit), losses_(losses) {}

  At place(uint64_t offset) const { return {.file = source_.name(), .offset = offset}; }
  bool any() const { return any_; }

  void lose(std::string_view what, uint64_t bytes, const Diagnostic& why) {
    losses_.push_back({what, "", bytes, why});
  }

  // Visits the entries of a block with the right checksum. Fails, before it visits any, if they are
  // invalid or do not follow those before.
  Status check(std::string_view block, const At& where) const {
    std::string last = last_key_;
    bool first = !has_key_;
    return for_each_block_entry(block, where, [&](std::string_view key, std::string_view) {
      const bool follows = first || key > last;
      first = false;
      last = key;
      return follows ? Status(Unit{})
                     : failure("keys-out-of-order", "keys of the table are not strictly increasing",
                               where, kAgain);
    });
  }

  Status visit(std::string_view block, const At& where) {
    any_ = true;
    return for_each_block_entry(block, where, [&](std::string_view key, std::string_view value) {
      has_key_ = true;
      last_key_ = key;
      return visit_(key, value);
    });
  }

 private:
  const ByteSource& source_;
  EntryVisitor visit_;
  Losses& losses_;
  bool any_ = false;
  bool has_key_ = false;
  std::string last_key_;
};

// Returns the handles of the data blocks, by ascending offset.
Result<std::vector<BlockHandle>> read_index(const ByteSource& source) {
  TRY(footer, read_footer(source));
  TRY(index, read_block(source, footer.index));
  const At where = {.file = source.name(), .offset = footer.index.offset};
  std::vector<BlockHandle> handles;
  uint64_t end = 0;
  CHECK_OK(
      for_each_block_entry(index, where, [&](std::string_view, std::string_view value) -> Status {
        BlockHandle handle;
        if (!take_handle(value, handle) || handle.offset < end || handle.size > kMaxBlockBytes) {
          return failure("bad-block-handle", "bad block handle in the index", where, kAgain);
        }
        end = handle.offset + handle.size + kBlockTrailerBytes;
        handles.push_back(handle);
        return Unit{};
      }));
  return handles;
}

Status by_index(const ByteSource& source, const std::vector<BlockHandle>& handles,
                WholeBlocks& blocks) {
  for (const BlockHandle handle : handles) {
    const At where = blocks.place(handle.offset);
    const Result<std::string> block = read_block(source, handle);
    const Status checked = block ? blocks.check(*block, where) : Status(block.error());
    if (checked) {
      CHECK_OK(blocks.visit(*block, where));
      continue;
    }
    if (!is_of_file(checked.error().code)) return checked.error();
    blocks.lose(kLostBlock, handle.size + kBlockTrailerBytes, checked.error());
  }
  return Unit{};
}

// Finds blocks in the bytes of a table by their form:
//
//     entries | restarts: 0, then the offsets of other entries with a whole key | their number
//     | type: 0 | checksum
//
// Four zero bytes after an entry are the first restart: an entry that begins so has an empty key,
// which is the first one only.
class BlockForm {
 public:
  explicit BlockForm(std::string_view file) : file_(file) {}

  // Returns the size of the block that begins at `at`, without its trailer; nullopt if none begins
  // there, or its checksum is wrong.
  std::optional<uint64_t> size_at(uint64_t at) {
    const std::string_view rest = file_.substr(static_cast<size_t>(at));
    whole_keys_.clear();
    const std::optional<uint64_t> restarts = restarts_at(rest);
    const std::optional<uint64_t> end = restarts ? end_of_restarts(rest, *restarts) : std::nullopt;
    if (!end || rest.size() - *end < kBlockTrailerBytes) return std::nullopt;
    const std::string_view checked = rest.substr(0, static_cast<size_t>(*end) + 1);
    effort_ += checked.size() / kHashedInStep;
    if (checked.back() != kUncompressed) return std::nullopt;
    const uint32_t stored = unmask_crc(get_fixed32(rest.data() + checked.size()));
    return stored == crc32c(checked) ? end : std::nullopt;
  }

  // Returns how much was looked at: entries, and stretches of bytes for their checksum.
  uint64_t effort() const { return effort_; }

 private:
  // Returns the place of the first restart.
  std::optional<uint64_t> restarts_at(std::string_view block) {
    std::string_view rest = block;
    uint64_t key_size = 0;
    while (rest.size() >= 4 && get_fixed32(rest.data()) != 0) {
      ++effort_;
      const uint64_t at = block.size() - rest.size();
      uint64_t shared = 0, suffix = 0, size = 0;
      std::string_view skipped;
      const bool taken = take_varint(rest, shared) && take_varint(rest, suffix) &&
                         take_varint(rest, size) && shared <= key_size && suffix <= kMostKey &&
                         take_bytes(rest, suffix, skipped) && take_bytes(rest, size, skipped);
      if (!taken) return std::nullopt;
      if (shared == 0) whole_keys_.push_back(at);
      key_size = shared + suffix;
    }
    return rest.size() < 4 ? std::nullopt : std::optional(block.size() - rest.size());
  }

  // Returns the end of the restarts and their number. No offset is equal to the number of those
  // before it, as an entry has at least 3 bytes.
  std::optional<uint64_t> end_of_restarts(std::string_view block, uint64_t at) const {
    auto known = whole_keys_.begin();
    uint64_t count = 0;
    for (; block.size() - at >= 4; at += 4, ++count) {
      const uint64_t value = get_fixed32(block.data() + at);
      if (count > 0 && value == count) return at + 4;
      known = std::find(known, whole_keys_.end(), value);
      const bool is_restart = known != whole_keys_.end() || (count == 0 && value == 0);
      if (!is_restart) return std::nullopt;
    }
    return std::nullopt;
  }

  static constexpr uint64_t kHashedInStep = 32;

  std::string_view file_;
  std::vector<uint64_t> whole_keys_;  // offsets of entries with a whole key, of the block
  uint64_t effort_ = 0;
};

// The metaindex has no entries; the index has a handle for each data block.
bool is_after_data(std::string_view block, const At& where) {
  bool only_handles = true;
  uint64_t end = 0;
  const Status walked =
      for_each_block_entry(block, where, [&](std::string_view, std::string_view value) -> Status {
        BlockHandle handle;
        only_handles = only_handles && take_handle(value, handle) && value.empty() &&
                       handle.offset >= end && (end > 0 || handle.offset == 0);
        end = handle.offset + handle.size + kBlockTrailerBytes;
        return Unit{};
      });
  return walked && only_handles;
}

Status by_form(const ByteSource& source, WholeBlocks& blocks) {
  std::string file(static_cast<size_t>(source.size()), '\0');
  CHECK_OK(read_exactly(source, 0, file));
  BlockForm form(file);
  const uint64_t most = file.size() + kMostEffort;
  uint64_t lost_from = 0;
  size_t at = 0;
  const auto lose_before = [&](uint64_t end) {
    if (end == lost_from) return;
    const Failure why = failure("bad-block", "no block with a right checksum begins here",
                                blocks.place(lost_from), kAgain);
    blocks.lose(kLostBlock, end - lost_from, *why);
  };
  while (at < file.size() && form.effort() <= most) {
    const auto size = file[at] == 0 ? form.size_at(at) : std::nullopt;
    if (!size) {
      ++at;
      continue;
    }
    const std::string_view block = std::string_view(file).substr(at, static_cast<size_t>(*size));
    const At where = blocks.place(at);
    const bool is_end = is_after_data(block, where);
    if (is_end || blocks.check(block, where)) {
      lose_before(at);
      if (is_end) return Unit{};
      CHECK_OK(blocks.visit(block, where));
      lost_from = at + *size + kBlockTrailerBytes;
    }
    at += static_cast<size_t>(*size + kBlockTrailerBytes);
  }
  lose_before(file.size());
  return Unit{};
}

}  // namespace

Status for_each_whole_entry(const ByteSource& source, EntryVisitor visit, Losses& losses) {
  const size_t before = losses.size();
  WholeBlocks blocks(source, visit, losses);
  const auto handles = read_index(source);
  if (handles) {
    CHECK_OK(by_index(source, *handles, blocks));
    return blocks.any() || losses.size() == before ? Status(Unit{}) : losses[before].why;
  }
  const Diagnostic& why = handles.error();
  if (!is_of_file(why.code) || source.size() > kMostSearched) return why;
  blocks.lose(kLostDirectory, 0, why);
  CHECK_OK(by_form(source, blocks));
  return blocks.any() ? Status(Unit{}) : why;
}

}  // namespace cryo
