#include "sstable/block.h"

#include <snappy.h>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"

namespace cryo {
namespace {

Failure damaged(std::string_view message, const LocationRef& where) {
  return failure("bad-block", message, where, kFixOfTable);
}

Result<std::string> unpack(std::string_view packed, const LocationRef& where) {
  size_t size = 0;
  if (!snappy::GetUncompressedLength(packed.data(), packed.size(), &size) ||
      size > kMaxBlockBytes || size / kMaxSnappyExpansion > packed.size()) {
    return damaged("corrupted compressed block contents", where);
  }
  std::string contents(size, '\0');
  if (!snappy::RawUncompress(packed.data(), packed.size(), contents.data())) {
    return damaged("corrupted compressed block contents", where);
  }
  return contents;
}

// The entries of a block and the offsets of the restarts, whose keys are whole.
struct BlockParts {
  std::string_view entries = {};
  std::string_view restarts = {};  // fixed32 each
};

// ... entries ... | restart offsets | their number
bool split_block(std::string_view block, BlockParts& parts) {
  if (block.size() < 4) return false;
  const uint64_t count = get_fixed32(block.data() + block.size() - 4);
  const uint64_t room = (block.size() - 4) / 4;
  if (count > room) return false;
  const auto restarts_at = static_cast<size_t>(block.size() - 4 - 4 * count);
  parts.entries = block.substr(0, restarts_at);
  parts.restarts = block.substr(restarts_at, static_cast<size_t>(4 * count));
  return true;
}

struct Entry {
  uint64_t shared = 0;
  std::string_view suffix = {};
  std::string_view value = {};
};

// LevelDB adds the two lengths in 32 bits, which overflows for FFFFFFFF + 3. Here each is compared
// with the number of bytes left.
bool take_entry(std::string_view& in, Entry& entry) {
  EntrySizes sizes;
  if (!take_entry_sizes(in, sizes)) return false;
  entry.shared = sizes.shared;
  return take_bytes(in, sizes.suffix, entry.suffix) && take_bytes(in, sizes.value, entry.value);
}

}  // namespace

bool take_entry_sizes(std::string_view& in, EntrySizes& sizes) {
  return take_varint(in, sizes.shared) && take_varint(in, sizes.suffix) &&
         take_varint(in, sizes.value);
}

Result<std::string> read_block(const ByteSource& source, BlockHandle handle) {
  return read_block(source, handle, source.size() - kFooterBytes);
}

Result<std::string> read_block(const ByteSource& source, BlockHandle handle, uint64_t end) {
  const LocationRef where = {.file = source.name(), .offset = handle.offset};
  if (handle.size > kMaxBlockBytes || handle.offset > end ||
      handle.size + kBlockTrailerBytes > end - handle.offset) {
    return damaged(cat("truncated block read: a block of ", plural(handle.size, "byte"),
                       " should lie here, before the ",
                       end < source.size() ? "footer" : "end of the file", " at ", end),
                   where);
  }
  std::string bytes(static_cast<size_t>(handle.size + kBlockTrailerBytes), '\0');
  CHECK_OK(source.read(handle.offset, bytes));
  const std::string_view checked(bytes.data(), static_cast<size_t>(handle.size + 1));
  const uint32_t stored = unmask_crc(get_fixed32(bytes.data() + checked.size()));
  if (const uint32_t computed = crc32c(checked); stored != computed) {
    return damaged(cat("block checksum mismatch: stored ", stored, ", computed ", computed), where);
  }
  const char type = checked.back();
  bytes.resize(static_cast<size_t>(handle.size));
  if (type == kUncompressed) return bytes;
  if (type == kSnappy) return unpack(bytes, where);
  return damaged(cat("bad block type ", int{type}), where);
}

Status for_each_block_entry(std::string_view block, const LocationRef& where, EntryVisitor visit) {
  BlockParts parts;
  if (!split_block(block, parts)) return damaged("bad block contents", where);
  std::string_view rest = parts.entries;
  std::string_view restarts = parts.restarts;
  std::string key;
  uint64_t key_bytes = 0;
  while (!rest.empty()) {
    const uint64_t at = parts.entries.size() - rest.size();
    const bool restart = !restarts.empty() && get_fixed32(restarts.data()) == at;
    if (restart) restarts.remove_prefix(4);
    Entry entry;
    const bool taken = take_entry(rest, entry) && entry.shared <= (restart ? 0 : key.size());
    if (!taken) return damaged(cat("bad entry in block, ", at, " bytes into it"), where);
    key.resize(static_cast<size_t>(entry.shared));
    key += entry.suffix;
    key_bytes += key.size();
    if (key_bytes > kMaxKeyExpansion * block.size()) {
      return damaged("keys of this block repeat more of each other than any writer's", where);
    }
    CHECK_OK(visit(key, entry.value));
  }
  // The remaining restarts point between entries. An empty block still has its one restart.
  const bool empty = parts.entries.empty();
  if (!restarts.empty() && !(empty && restarts.size() == 4 && get_fixed32(restarts.data()) == 0)) {
    return damaged("bad block contents: a restart is not at the start of an entry", where);
  }
  return Unit{};
}

}  // namespace cryo
