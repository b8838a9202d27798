#include "sstable/value_slices.h"

#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "sstable/block.h"

namespace cryo {
namespace {

constexpr std::string_view kFix = "the file is damaged: copy or download it again";
constexpr std::string_view kFixOfChecksum =
    "the file is damaged: copy or download it again" ADVICE("or-unchecked");
constexpr uint64_t kMaxEntryHeader = 30;    // three varints
constexpr uint64_t kMaxKeyBytes = 1 << 20;  // of one key; TensorFlow's are names and slices

Failure damaged(std::string_view message, const SourcePtr& source, uint64_t offset) {
  return failure("bad-block", message, {.file = source->name(), .offset = offset}, kFix);
}

// The keys and lengths of a block that is not compressed:
//
//     shared, suffix size, value size | suffix | value (leapt over) | ... | restarts | their number
class BlockWalk {
 public:
  BlockWalk(const SourcePtr& source, BlockHandle block, std::shared_ptr<const CheckedSlice> check)
      : source_(source), block_(block), check_(std::move(check)) {}

  Status run(ValueVisitor visit) {
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
    CHECK_OK(read_exactly(*source_, block_.offset + block_.size - 4, count));
    const uint64_t restarts = 4 * (uint64_t{get_fixed32(count)} + 1);
    if (restarts > block_.size) return damaged("bad block contents", source_, block_.offset);
    return block_.offset + block_.size - restarts;
  }

  // Moves `at` to the end of the entry.
  Status entry(uint64_t& at, uint64_t end, ValueVisitor visit) {
    std::string bytes(static_cast<size_t>(std::min(kMaxEntryHeader, end - at)), '\0');
    CHECK_OK(read_exactly(*source_, at, bytes));
    std::string_view header = bytes;
    uint64_t shared = 0, suffix = 0, size = 0;
    const bool taken = take_varint(header, shared) && take_varint(header, suffix) &&
                       take_varint(header, size) && shared <= key_.size();
    if (!taken) return damaged("bad entry in block", source_, at);
    const uint64_t key_at = at + bytes.size() - header.size();
    if (suffix > end - key_at || size > end - key_at - suffix || shared + suffix > kMaxKeyBytes) {
      return damaged("bad entry in block: it ends behind the block", source_, at);
    }
    key_.resize(static_cast<size_t>(shared + suffix));
    CHECK_OK(read_exactly(*source_, key_at, {key_.data() + shared, static_cast<size_t>(suffix)}));
    at = key_at + suffix + size;
    return visit(key_, {{source_, key_at + suffix, size}, check_});
  }

  const SourcePtr& source_;
  BlockHandle block_;
  std::shared_ptr<const CheckedSlice> check_;
  std::string key_;
};

// The checksum covers the contents and their type, one byte.
Status values_of_block(const SourcePtr& source, BlockHandle block, ValueVisitor visit,
                       Checks* checks) {
  char trailer[kBlockTrailerBytes];
  CHECK_OK(read_exactly(*source, block.offset + block.size, trailer));
  if (trailer[0] == kUncompressed) {
    const Slice covered{source, block.offset, block.size + 1};
    auto check =
        make_check(checks, covered, unmask_crc(get_fixed32(trailer + 1)),
                   std::make_unique<CrcSum>(CrcSum::kCrc32c, covered.size), kFixOfChecksum);
    return BlockWalk(source, block, std::move(check)).run(visit);
  }
  TRY(bytes, read_block(*source, block));
  const SourcePtr unpacked = std::make_shared<MemorySource>(std::move(bytes), source->name());
  const std::string_view all = static_cast<const MemorySource&>(*unpacked).bytes();
  return for_each_block_entry(all, {.file = source->name(), .offset = block.offset},
                              [&](std::string_view key, std::string_view value) {
                                const auto offset =
                                    static_cast<uint64_t>(value.data() - all.data());
                                return visit(key, {{unpacked, offset, value.size()}, nullptr});
                              });
}

using BlockVisitor = FunctionRef<Status(BlockHandle)>;

// Visits the blocks that the index names. Each must be inside of the file and after the previous
// one.
Status for_each_block(const SourcePtr& source, BlockVisitor visit) {
  TRY(footer, read_footer(*source));
  TRY(index, read_block(*source, footer.index));
  uint64_t blocks_end = 0;
  return for_each_block_entry(index, {.file = source->name(), .offset = footer.index.offset},
                              [&](std::string_view, std::string_view value) -> Status {
                                BlockHandle block;
                                if (!take_handle(value, block) || block.offset < blocks_end) {
                                  return damaged("bad block handle in the index", source,
                                                 footer.index.offset);
                                }
                                const uint64_t end = source->size() - kFooterBytes;
                                if (block.offset > end || block.size > kMaxBlockBytes ||
                                    block.size + kBlockTrailerBytes > end - block.offset) {
                                  return damaged("truncated block read", source, block.offset);
                                }
                                blocks_end = block.offset + block.size + kBlockTrailerBytes;
                                return visit(block);
                              });
}

}  // namespace

Slice StoredValue::checked(const Slice& slice) const {
  if (block == nullptr || slice.source != bytes.source) return slice;
  return {block, slice.offset - block->slice().offset, slice.size};
}

Status for_each_value(const SourcePtr& source, ValueVisitor visit, Checks* checks) {
  return for_each_block(
      source, [&](BlockHandle block) { return values_of_block(source, block, visit, checks); });
}

}  // namespace cryo
