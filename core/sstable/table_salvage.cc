#include "sstable/table_salvage.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "bytes/checks.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "sstable/stored_block.h"

namespace cryo {
namespace {

constexpr std::string_view kAgain = "the file is damaged: copy or download it again";

// The largest table that is held in memory to find its blocks. Of a larger one each entry's lengths
// are read, and its values are leapt over.
constexpr uint64_t kMaxHeld = uint64_t{256} << 20;

// The bytes that are read at a time to find the next block.
constexpr uint64_t kSearchedBytes = 65536;

// The most effort (BlockForm::effort()) that is spent, in addition to a part of the file's size.
constexpr uint64_t kMaxEffort = uint64_t{4} << 20;

LocationRef place(const ByteSource& source, uint64_t offset) {
  return {.file = source.name(), .offset = offset};
}

// Reads blocks with the right checksum, whose keys follow those before.
class EntryBlocks final : public BlockVisitor {
 public:
  EntryBlocks(const ByteSource& source, EntryVisitor visit) : source_(source), visit_(visit) {}

  Status read(BlockHandle handle) override {
    TRY(block, read_block(source_, handle, source_.size()));
    const LocationRef where = place(source_, handle.offset);
    std::string last = last_key_;
    bool first = !has_key_;
    CHECK_OK(for_each_block_entry(block, where, [&](std::string_view key, std::string_view) {
      const bool follows = first || key > last;
      first = false;
      last = key;
      return follows ? Status(Unit{})
                     : failure("keys-out-of-order", "keys of the table are not strictly increasing",
                               where, kAgain);
    }));
    has_key_ = !first;
    last_key_ = std::move(last);
    where_ = where;
    block_ = std::move(block);
    return Unit{};
  }

  Status take() override { return for_each_block_entry(block_, where_, visit_); }

 private:
  const ByteSource& source_;
  EntryVisitor visit_;
  std::string block_;
  LocationRef where_;
  bool has_key_ = false;
  std::string last_key_;
};

// Gives blocks to a visitor, and lists what is lost between them.
class WholeBlocks {
 public:
  WholeBlocks(BlockVisitor& visitor, DamagedParts& losses) : visitor_(visitor), losses_(losses) {}

  bool any() const { return any_; }

  void lose(std::string_view what, uint64_t bytes, const Diagnostic& why) {
    losses_.push_back({what, "", bytes, why});
  }

  // Returns the fault of a block that is not whole; null if it was taken.
  Result<std::shared_ptr<const Diagnostic>> take(BlockHandle block) {
    if (const Status read = visitor_.read(block); !read) {
      if (!is_of_file(read.error().code)) return read.error();
      return std::make_shared<const Diagnostic>(read.error());
    }
    any_ = true;
    CHECK_OK(visitor_.take());
    return std::shared_ptr<const Diagnostic>();
  }

 private:
  BlockVisitor& visitor_;
  DamagedParts& losses_;
  bool any_ = false;
};

// Returns the handles of the data blocks, by ascending offset.
Result<std::vector<BlockHandle>> read_index(const ByteSource& source) {
  TRY(footer, read_footer(source));
  TRY(index, read_block(source, footer.index));
  const LocationRef where = {.file = source.name(), .offset = footer.index.offset};
  std::vector<BlockHandle> handles;
  uint64_t end = 0;
  CHECK_OK(
      for_each_block_entry(index, where, [&](std::string_view, std::string_view value) -> Status {
        BlockHandle handle;
        if (!take_handle(value, handle) || handle.offset < end || handle.offset > source.size() ||
            handle.size > kMaxBlockBytes) {
          return failure("bad-block-handle", "bad block handle in the index", where, kAgain);
        }
        end = handle.offset + handle.size + kBlockTrailerBytes;
        handles.push_back(handle);
        return Unit{};
      }));
  return handles;
}

Status by_index(const std::vector<BlockHandle>& handles, WholeBlocks& blocks) {
  for (const BlockHandle handle : handles) {
    TRY(fault, blocks.take(handle));
    if (fault != nullptr) blocks.lose(kLostBlock, handle.size + kBlockTrailerBytes, *fault);
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
  explicit BlockForm(SourcePtr file) : file_(std::move(file)), size_(file_->size()) {
    const auto* memory = dynamic_cast<const MemorySource*>(file_.get());
    if (memory != nullptr) held_ = memory->bytes();
  }

  // Returns the size of the block that begins at `at`, without its trailer; nullopt if none begins
  // there, or its checksum is wrong.
  Result<std::optional<uint64_t>> size_at(uint64_t at) {
    const std::optional<uint64_t> none;
    whole_keys_.clear();
    TRY(restarts, restarts_at(at));
    if (!restarts) return none;
    TRY(end, end_of_restarts(*restarts));
    if (!end || size_ - *end < kBlockTrailerBytes) return none;
    TRY(trailer, peek(*end, kBlockTrailerBytes));
    if (trailer[0] != kUncompressed) return none;
    const Slice covered{file_, at, *end + 1 - at};
    effort_ += covered.size / kHashedInStep;
    const CheckedSlice check(covered, unmask_crc(get_fixed32(trailer.data() + 1)),
                             std::make_unique<CrcSum>(CrcSum::kCrc32c, covered.size), kAgain);
    const Status right = check.finish();
    if (!right && !is_of_file(right.error().code)) return right.error();
    return right ? std::optional(*end - at) : none;
  }

  // Returns how much was looked at: entries, and stretches of bytes for their checksum.
  uint64_t effort() const { return effort_; }

 private:
  // Returns the place of the first restart of a block that begins at `at`.
  Result<std::optional<uint64_t>> restarts_at(uint64_t at) {
    const std::optional<uint64_t> none;
    const uint64_t begin = at;
    uint64_t key_size = 0;
    while (size_ - at >= 4) {
      TRY(bytes, peek(at, std::min(kMaxEntrySizes, size_ - at)));
      if (get_fixed32(bytes.data()) == 0) return std::optional(at);
      effort_ += held_.empty() ? kReadInSteps : 1;
      std::string_view rest = bytes;
      EntrySizes sizes;
      const bool taken =
          take_entry_sizes(rest, sizes) && sizes.shared <= key_size && sizes.suffix <= kMaxKeyBytes;
      if (!taken) return none;
      const auto [shared, suffix, size] = sizes;
      if (shared == 0) whole_keys_.push_back(at - begin);
      key_size = shared + suffix;
      at += bytes.size() - rest.size();
      if (suffix > size_ - at || size > size_ - at - suffix) return none;
      at += suffix + size;
    }
    return none;
  }

  // Returns the end of the restarts, which begin at `at`, and of their number. No offset is equal
  // to the number of those before it, as an entry has at least 3 bytes.
  Result<std::optional<uint64_t>> end_of_restarts(uint64_t at) {
    const std::optional<uint64_t> none;
    auto known = whole_keys_.begin();
    for (uint64_t count = 0; size_ - at >= 4; at += 4, ++count) {
      TRY(bytes, peek(at, 4));
      const uint64_t value = get_fixed32(bytes.data());
      if (count > 0 && value == count) return std::optional(at + 4);
      known = std::find(known, whole_keys_.end(), value);
      const bool is_restart = known != whole_keys_.end() || (count == 0 && value == 0);
      if (!is_restart) return none;
    }
    return none;
  }

  // Returns bytes of the file; good until the next call. REQUIRES: they are in the file.
  Result<std::string_view> peek(uint64_t at, uint64_t size) {
    if (!held_.empty()) return held_.substr(static_cast<size_t>(at), static_cast<size_t>(size));
    const std::span<char> out(buffer_, static_cast<size_t>(size));
    CHECK_OK(read_exactly(*file_, at, out));
    return std::string_view(out.data(), out.size());
  }

  static constexpr uint64_t kHashedInStep = 32;
  static constexpr uint64_t kReadInSteps = 64;  // of a file that is not in memory

  SourcePtr file_;
  uint64_t size_;
  std::string_view held_;  // all bytes of a file in memory
  char buffer_[kMaxEntrySizes] = {};
  std::vector<uint64_t> whole_keys_;  // offsets of entries with a whole key, of the block
  uint64_t effort_ = 0;
};

// The metaindex has no entries; the index has a handle for each data block.
Result<bool> is_after_data(const ByteSource& source, BlockHandle block) {
  constexpr uint64_t kMaxHandle = 20;  // two varints
  bool only_handles = true;
  uint64_t end = 0;
  const Status walked = for_each_stored_entry(
      source, block, [&](std::string_view, uint64_t offset, uint64_t size) -> Status {
        only_handles = only_handles && size <= kMaxHandle;
        if (!only_handles) return Unit{};
        TRY(value, read_up_to(source, offset, size));
        std::string_view rest = value;
        BlockHandle handle;
        only_handles = take_handle(rest, handle) && rest.empty() && handle.offset >= end &&
                       (end > 0 || handle.offset == 0);
        end = handle.offset + handle.size + kBlockTrailerBytes;
        return Unit{};
      });
  if (!walked && !is_of_file(walked.error().code)) return walked.error();
  return walked && only_handles;
}

// Finds places where a block may begin. Its first key is whole, so its first byte is zero. Of a run
// of zeros only the last four begin one: four zeros are a block without entries, which has another
// byte after them.
class BlockBegins {
 public:
  explicit BlockBegins(const ByteSource& file) : file_(file) {}

  // Returns the first such place that is not before `at`, or the end of the file.
  Result<uint64_t> next(uint64_t at) {
    constexpr size_t kMaxZeros = 4;
    while (at < file_.size()) {
      CHECK_OK(read(at));
      const size_t begin = static_cast<size_t>(at - offset_);
      const size_t zero = std::min(bytes_.find('\0', begin), bytes_.size());
      const size_t end = std::min(bytes_.find_first_not_of('\0', zero), bytes_.size());
      const size_t first = end - std::min(end - zero, kMaxZeros);
      const bool may_go_on = end == bytes_.size() && offset_ + end < file_.size() && first > begin;
      if (zero < bytes_.size() && !may_go_on) return offset_ + first;
      at = offset_ + first;
    }
    return at;
  }

 private:
  // Reads the bytes around `at`, if it is not in those that were read last.
  Status read(uint64_t at) {
    if (at >= offset_ && at + kMaxAhead <= offset_ + bytes_.size()) return Unit{};
    if (offset_ + bytes_.size() == file_.size() && at >= offset_ && !bytes_.empty()) return Unit{};
    TRY(bytes, read_up_to(file_, at, kSearchedBytes));
    bytes_ = std::move(bytes);
    offset_ = at;
    return Unit{};
  }

  static constexpr uint64_t kMaxAhead = 8;

  const ByteSource& file_;
  uint64_t offset_ = 0;
  std::string bytes_;
};

Result<SourcePtr> held(const SourcePtr& source) {
  if (source->size() > kMaxHeld) return source;
  TRY(bytes, read_up_to(*source, 0, source->size()));
  return SourcePtr(std::make_shared<MemorySource>(std::move(bytes), source->name()));
}

// The blocks of a table that are found by their form, from its beginning on.
class FormSearch {
 public:
  FormSearch(SourcePtr file, WholeBlocks& blocks)
      : file_(std::move(file)), begins_(*file_), form_(file_), blocks_(blocks) {}

  Status run() {
    const uint64_t most = file_->size() + kMaxEffort;
    uint64_t at = 0;
    while (!ended_ && form_.effort() <= most) {
      TRY(zero, begins_.next(at));
      if (zero == file_->size()) break;
      TRY(size, form_.size_at(zero));
      if (size) CHECK_OK(block({zero, *size}));
      at = size ? zero + *size + kBlockTrailerBytes : zero + 1;
    }
    if (!ended_) lose_before(file_->size());
    return Unit{};
  }

 private:
  Status block(BlockHandle found) {
    TRY(is_end, is_after_data(*file_, found));
    ended_ = is_end;
    if (is_end) {
      lose_before(found.offset);
      return Unit{};
    }
    TRY(fault, blocks_.take(found));
    if (fault != nullptr) return Unit{};
    lose_before(found.offset);
    lost_from_ = found.offset + found.size + kBlockTrailerBytes;
    return Unit{};
  }

  void lose_before(uint64_t end) {
    if (end == lost_from_) return;
    const Failure why = failure("bad-block", "no block with a right checksum begins here",
                                place(*file_, lost_from_), kAgain);
    blocks_.lose(kLostBlock, end - lost_from_, *why);
  }

  SourcePtr file_;
  BlockBegins begins_;
  BlockForm form_;
  WholeBlocks& blocks_;
  uint64_t lost_from_ = 0;
  bool ended_ = false;
};

}  // namespace

Status for_each_whole_block(const SourcePtr& source, BlockVisitor& visitor, DamagedParts& losses) {
  const size_t before = losses.size();
  WholeBlocks blocks(visitor, losses);
  const auto handles = read_index(*source);
  if (handles) {
    CHECK_OK(by_index(*handles, blocks));
    return blocks.any() || losses.size() == before ? Status(Unit{}) : losses[before].why;
  }
  const Diagnostic& why = handles.error();
  if (!is_of_file(why.code)) return why;
  blocks.lose(kLostDirectory, 0, why);
  TRY(file, held(source));
  CHECK_OK(FormSearch(file, blocks).run());
  return blocks.any() ? Status(Unit{}) : why;
}

Status for_each_whole_entry(const SourcePtr& source, EntryVisitor visit, DamagedParts& losses) {
  EntryBlocks blocks(*source, visit);
  return for_each_whole_block(source, blocks, losses);
}

}  // namespace cryo
