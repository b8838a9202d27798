#include "table/value_slices.h"

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "table/block.h"

namespace cryo {
namespace {

constexpr char kPlain = 0;
constexpr uint64_t kMaxEntryHeader = 30;    // three varints
constexpr uint64_t kMaxKeyBytes = 1 << 20;  // of one key; TensorFlow's are names and slices

Failure damaged(std::string_view message, const SourcePtr& source, uint64_t offset) {
  return failure("bad-block", message, {.file = source->name(), .offset = offset},
                 "the file is damaged: copy or download it again");
}

// The keys and lengths of a block that is not compressed:
//
//     shared, suffix size, value size | suffix | value (leapt over) | ... | restarts | their number
class BlockWalk {
 public:
  BlockWalk(const SourcePtr& source, BlockHandle block) : source_(source), block_(block) {}

  Status run(ValueVisitor visit) {
    TRY(end, entries_end());
    uint64_t at = block_.offset;
    while (at < end) CHECK_OK(entry(at, end, visit));
    return Unit{};
  }

 private:
  // Where the entries end and the restarts begin.
  Result<uint64_t> entries_end() const {
    if (block_.size < 4) return damaged("bad block contents", source_, block_.offset);
    char count[4];
    CHECK_OK(read_exactly(*source_, block_.offset + block_.size - 4, count));
    const uint64_t restarts = 4 * (uint64_t{get_fixed32(count)} + 1);
    if (restarts > block_.size) return damaged("bad block contents", source_, block_.offset);
    return block_.offset + block_.size - restarts;
  }

  // Moves `at` behind the entry.
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
    return visit(key_, {source_, key_at + suffix, size});
  }

  const SourcePtr& source_;
  BlockHandle block_;
  std::string key_;
};

Status values_of_block(const SourcePtr& source, BlockHandle block, ValueVisitor visit) {
  char type = kPlain;
  CHECK_OK(read_exactly(*source, block.offset + block.size, {&type, 1}));
  if (type == kPlain) return BlockWalk(source, block).run(visit);
  TRY(bytes, read_block(*source, block));
  const SourcePtr unpacked = std::make_shared<MemorySource>(std::move(bytes), source->name());
  const std::string_view all = static_cast<const MemorySource&>(*unpacked).bytes();
  return for_each_block_entry(all, {.file = source->name(), .offset = block.offset},
                              [&](std::string_view key, std::string_view value) {
                                const auto offset =
                                    static_cast<uint64_t>(value.data() - all.data());
                                return visit(key, {unpacked, offset, value.size()});
                              });
}

using BlockVisitor = FunctionRef<Status(BlockHandle)>;

// The blocks that the index names, each inside of the file and behind the one before.
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

// The checksum covers the contents and their type, one byte.
Status verify_block(const SourcePtr& source, BlockHandle block) {
  uint32_t crc = 0;
  const Splice covered(Slice{source, block.offset, block.size + 1});
  CHECK_OK(covered.for_each_chunk([&](std::string_view chunk) -> Status {
    crc = crc32c_extend(crc, chunk);
    return Unit{};
  }));
  char stored[4];
  CHECK_OK(read_exactly(*source, block.offset + block.size + 1, stored));
  if (unmask_crc(get_fixed32(stored)) == crc) return Unit{};
  return failure("checksum", "block checksum mismatch",
                 {.file = source->name(), .offset = block.offset},
                 "the file is damaged: copy or download it again");
}

}  // namespace

Status for_each_value(const SourcePtr& source, ValueVisitor visit) {
  return for_each_block(source,
                        [&](BlockHandle block) { return values_of_block(source, block, visit); });
}

Status verify_blocks(const SourcePtr& source) {
  return for_each_block(source, [&](BlockHandle block) { return verify_block(source, block); });
}

}  // namespace cryo
