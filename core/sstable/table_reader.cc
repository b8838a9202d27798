#include "sstable/table_reader.h"

#include "base/text.h"

namespace cryo {
namespace {

Failure damaged(std::string_view code, std::string_view message, const LocationRef& where) {
  return failure(code, message, where,
                 "the file is damaged, or no table of TensorFlow's: copy or write it again");
}

// The walk over a table's blocks, with the state that each is compared with.
class TableWalk {
 public:
  TableWalk(const ByteSource& source, EntryVisitor visit) : source_(source), visit_(visit) {}

  // One entry of the index: a key that is not before any key of its block, and the block's handle.
  Status data_block(std::string_view index_key, std::string_view value) {
    BlockHandle handle;
    if (!take_handle(value, handle)) {
      return damaged("bad-block-handle", "bad block handle in the index", {.file = source_.name()});
    }
    const LocationRef where = {.file = source_.name(), .offset = handle.offset};
    if (handle.offset < blocks_end_) {
      return damaged("bad-block-handle",
                     cat("blocks overlap: the one before ends at ", blocks_end_), where);
    }
    TRY(block, read_block(source_, handle));
    blocks_end_ = handle.offset + handle.size + kBlockTrailerBytes;
    CHECK_OK(for_each_block_entry(block, where, [&](std::string_view key, std::string_view entry) {
      return data_entry(key, entry, where);
    }));
    if (!first_ && index_key < last_key_) return unordered(where);
    indexed_ = true;
    last_index_key_ = index_key;
    return Unit{};
  }

 private:
  Status data_entry(std::string_view key, std::string_view value, const LocationRef& where) {
    if (!first_ && (key <= last_key_ || (indexed_ && key <= last_index_key_)))
      return unordered(where);
    first_ = false;
    last_key_ = key;
    return visit_(key, value);
  }

  Failure unordered(const LocationRef& where) const {
    return damaged("keys-out-of-order", "keys of the table are not strictly increasing", where);
  }

  const ByteSource& source_;
  EntryVisitor visit_;
  uint64_t blocks_end_ = 0;
  bool first_ = true;
  bool indexed_ = false;
  std::string last_key_;
  std::string last_index_key_;
};

}  // namespace

Status for_each_entry(const ByteSource& source, EntryVisitor visit) {
  TRY(footer, read_footer(source));
  TRY(index, read_block(source, footer.index));
  TableWalk walk(source, visit);
  return for_each_block_entry(
      index, {.file = source.name(), .offset = footer.index.offset},
      [&](std::string_view key, std::string_view value) { return walk.data_block(key, value); });
}

}  // namespace cryo
