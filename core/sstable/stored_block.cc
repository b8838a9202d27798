#include "sstable/stored_block.h"

#include <algorithm>

#include "bytes/coding.h"
#include "sstable/block.h"

namespace cryo {
namespace {

Failure damaged(std::string_view message, const ByteSource& source, uint64_t offset) {
  return failure("bad-block", message, {.file = source.name(), .offset = offset}, kFixOfTable);
}

// The keys and lengths of a block that is not compressed:
//
//     shared, suffix size, value size | suffix | value (leapt over) | ... | restarts | their number
class BlockWalk {
 public:
  BlockWalk(const ByteSource& source, BlockHandle block) : source_(source), block_(block) {}

  Status run(PlaceVisitor visit) {
    TRY(end, entries_end());
    uint64_t at = block_.offset;
    while (at < end) CHECK_OK(entry(at, end, visit));
    return Unit{};
  }

 private:
  // Returns the offset of the first restart, which is the end of the entries.
  Result<uint64_t> entries_end() const {
    if (block_.size < 4) return damaged("bad block contents", source_, block_.offset);
    char count[4];
    CHECK_OK(read_exactly(source_, block_.offset + block_.size - 4, count));
    const uint64_t restarts = 4 * (uint64_t{get_fixed32(count)} + 1);
    if (restarts > block_.size) return damaged("bad block contents", source_, block_.offset);
    return block_.offset + block_.size - restarts;
  }

  // Moves `at` to the end of the entry.
  Status entry(uint64_t& at, uint64_t end, PlaceVisitor visit) {
    std::string bytes(static_cast<size_t>(std::min(kMaxEntrySizes, end - at)), '\0');
    CHECK_OK(read_exactly(source_, at, bytes));
    std::string_view header = bytes;
    EntrySizes sizes;
    const bool taken = take_entry_sizes(header, sizes) && sizes.shared <= key_.size();
    if (!taken) return damaged("bad entry in block", source_, at);
    const auto [shared, suffix, size] = sizes;
    const uint64_t key_at = at + bytes.size() - header.size();
    if (suffix > end - key_at || size > end - key_at - suffix || shared + suffix > kMaxKeyBytes) {
      return damaged("bad entry in block: it ends behind the block", source_, at);
    }
    key_.resize(static_cast<size_t>(shared + suffix));
    CHECK_OK(read_exactly(source_, key_at, {key_.data() + shared, static_cast<size_t>(suffix)}));
    at = key_at + suffix + size;
    return visit(key_, key_at + suffix, size);
  }

  const ByteSource& source_;
  BlockHandle block_;
  std::string key_;
};

}  // namespace

Status for_each_stored_entry(const ByteSource& source, BlockHandle block, PlaceVisitor visit) {
  return BlockWalk(source, block).run(visit);
}

}  // namespace cryo
