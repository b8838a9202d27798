#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/reference.h"
#include "bytes/source.h"

namespace cryo {

// A table is a sorted map of strings in a file: LevelDB's, as TensorFlow keeps it for checkpoint
// indexes (tensorflow/core/lib/io).
//
//     data block | ... | metaindex block | index block | footer (48 bytes)
//
// Every block is followed by a trailer of 5 bytes, which a handle's size does not count.
constexpr uint64_t kFooterBytes = 48;
constexpr uint64_t kBlockTrailerBytes = 5;
constexpr uint64_t kTableMagic = 0xDB4775248B80FB57;

// A block fills up to this size and is then written: TensorFlow's default, which it never changes.
constexpr uint64_t kTableBlockBytes = 262144;

// The fix of a damaged table.
constexpr std::string_view kFixOfTable =
    "the file is damaged: copy or download it again" ADVICE("or-salvage");

// A block's location: varint offset, varint size.
struct BlockHandle {
  uint64_t offset = 0;
  uint64_t size = 0;
};

void put_handle(std::string& out, BlockHandle handle);

// Takes a handle off the front of `in`; false if it is cut short.
[[nodiscard]] bool take_handle(std::string_view& in, BlockHandle& handle);

// The last bytes of a table:
//
//     metaindex handle | index handle | zeros up to byte 40 | magic 57 FB 80 8B 24 75 47 DB
struct Footer {
  BlockHandle metaindex = {};  // always an empty block
  BlockHandle index = {};
};

void put_footer(std::string& out, const Footer& footer);

// Parses the footer. Fails if the file is not a table ("not an sstable (bad magic number)") or is
// too short.
Result<Footer> read_footer(const ByteSource& source);

}  // namespace cryo
