#pragma once

#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "sstable/footer.h"

namespace cryo {

// Reads the blocks that sstable/block_builder.h writes.

// Called for each entry in order. `key` and `value` are good during the call only. An error ends
// the walk.
using EntryVisitor = FunctionRef<Status(std::string_view key, std::string_view value)>;

// The sizes at the beginning of an entry, three varints: of the bytes that its key shares with the
// key before, of the rest of its key, and of its value.
struct EntrySizes {
  uint64_t shared = 0;
  uint64_t suffix = 0;
  uint64_t value = 0;
};
constexpr uint64_t kMaxEntrySizes = 30;  // bytes

// Takes them off the front of `in`; false if they are cut short.
[[nodiscard]] bool take_entry_sizes(std::string_view& in, EntrySizes& sizes);

// The longest key that is read without its value: TensorFlow's keys are names and slices.
constexpr uint64_t kMaxKeyBytes = uint64_t{1} << 20;

// The type of a block in its trailer: packed with Snappy or not.
constexpr char kUncompressed = 0;
constexpr char kSnappy = 1;

// A block's contents, its checksum verified, unpacked if it was compressed. Allocates in proportion
// to the file: a handle that leaves the file is refused first, and so is an unpacked size that its
// packed size cannot have.
// REQUIRES: the file has a footer.
Result<std::string> read_block(const ByteSource& source, BlockHandle handle);

// The same of a file that may have no footer. `end`: of the bytes that blocks may take, at most the
// file's size.
Result<std::string> read_block(const ByteSource& source, BlockHandle handle, uint64_t end);

// Walks the entries of a block. `where` is the block's place, for messages.
Status for_each_block_entry(std::string_view block, const LocationRef& where, EntryVisitor visit);

// The largest block that is read. A block is written once it is over kTableBlockBytes, so all but
// its last entry is below that, and a value is a protobuf message, below 2 GiB.
constexpr uint64_t kMaxBlockBytes = (uint64_t{1} << 31) + 4 * kTableBlockBytes;

// Snappy's densest encoding is a copy of 64 bytes in 3 (tag and 16-bit offset): 21.4 times.
constexpr uint64_t kMaxSnappyExpansion = 22;

// Keys share prefixes, so a few bytes an entry could spell out long keys without end. Every 16th
// key is whole where TensorFlow writes, hence no key is longer than its run of 16 on disk, and all
// are at most 16 times the block.
constexpr uint64_t kMaxKeyExpansion = 16;

}  // namespace cryo
