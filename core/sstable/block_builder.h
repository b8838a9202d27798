#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/splice_builder.h"
#include "sstable/footer.h"

namespace cryo {

// A finished block, its checksum not masked.
struct Block {
  Splice contents = {};
  uint32_t crc = 0;
};

// Makes one block:
//
//     entry, entry, ...
//     restart, restart, ...     fixed32 each: the offset of an entry whose key is whole
//                               (shared = 0), one every `restart_interval` entries
//     number of restarts        fixed32
//
// An entry:
//
//     shared                    varint: bytes of the key in common with the previous key
//     non_shared                varint: the other bytes of the key
//     value size                varint
//     key's last non_shared bytes | value
//
// For example "conv1/bias" = B, "conv1/weights" = W:
//
//     00 0A 01 "conv1/bias" B | 06 07 01 "weights" W | 00000000 | 01000000
class BlockBuilder {
 public:
  explicit BlockBuilder(uint32_t restart_interval) : restart_interval_(restart_interval) {}

  // REQUIRES: key comes after every key added before.
  void add(std::string_view key, std::string_view value);

  // The same with a value that is stored elsewhere and not read. `crc` is its CRC-32C.
  void add(std::string_view key, const Splice& value, uint32_t crc);

  // The block's size if it ended here.
  uint64_t size() const { return entries_.size() + 4 * restarts_.size() + 4; }
  bool empty() const { return entries_.size() == 0; }

  // Returns the block and resets the builder.
  Block finish();

 private:
  void add_key(std::string_view key, uint64_t value_size);
  void take_checksum();

  uint32_t restart_interval_;
  uint32_t since_restart_ = 0;
  SpliceBuilder entries_;
  uint32_t crc_ = 0;  // of the entries but for their last fresh bytes
  std::string last_key_;
  std::vector<uint32_t> restarts_ = {0};
};

// Appends contents and trailer: type (0: uncompressed) | fixed32 masked CRC-32C of contents and
// type.
BlockHandle put_block(SpliceBuilder& file, const Block& block);

}  // namespace cryo
