#include "sstable/value_slices.h"

#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "sstable/block.h"
#include "sstable/stored_block.h"
#include "sstable/table_salvage.h"

namespace cryo {
namespace {

constexpr std::string_view kFixOfChecksum =
    "the file is damaged: copy or download it again" ADVICE("or-unchecked") ADVICE("or-salvage");

Failure damaged(std::string_view message, const SourcePtr& source, uint64_t offset) {
  return failure("bad-block", message, {.file = source->name(), .offset = offset}, kFixOfTable);
}

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
    return for_each_stored_entry(*source, block,
                                 [&](std::string_view key, uint64_t offset, uint64_t size) {
                                   return visit(key, {{source, offset, size}, check});
                                 });
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

// The values of the blocks of a damaged table.
class ValueBlocks final : public BlockVisitor {
 public:
  ValueBlocks(const SourcePtr& source, ValueVisitor visit, Checks* checks)
      : source_(source), visit_(visit), checks_(checks) {}

  Status read(BlockHandle block) override {
    values_.clear();
    const auto keep = [&](std::string_view key, const StoredValue& value) -> Status {
      values_.emplace_back(key, value);
      return Unit{};
    };
    return values_of_block(source_, block, keep, checks_);
  }

  Status take() override {
    for (const auto& [key, value] : values_) CHECK_OK(visit_(key, value));
    return Unit{};
  }

 private:
  const SourcePtr& source_;
  ValueVisitor visit_;
  Checks* checks_;
  std::vector<std::pair<std::string, StoredValue>> values_;
};

// Visits the blocks that the index names. Each must be inside of the file and after the previous
// one.
Status for_each_block(const SourcePtr& source, FunctionRef<Status(BlockHandle)> visit) {
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

Status for_each_value(const SourcePtr& source, ValueVisitor visit, Checks* checks,
                      DamagedParts* losses) {
  if (losses != nullptr) {
    ValueBlocks blocks(source, visit, checks);
    return for_each_whole_block(source, blocks, *losses);
  }
  return for_each_block(
      source, [&](BlockHandle block) { return values_of_block(source, block, visit, checks); });
}

}  // namespace cryo
