#pragma once

#include <string>
#include <string_view>

#include "sstable/block_builder.h"

namespace cryo {

// Writes a table, byte for byte as TensorFlow's TableBuilder does without compression
// (TensorFlow itself never compresses checkpoint indexes).
//
//     TableWriter table;
//     table.add("", header);
//     table.add("conv1/weights", entry);
//     Splice file = table.finish();
class TableWriter {
 public:
  // REQUIRES: key comes after every key added before, in bytes.
  void add(std::string_view key, std::string_view value);

  // The same with a value that is stored elsewhere and not read. `crc` is its CRC-32C.
  void add(std::string_view key, const Splice& value, uint32_t crc);

  // The whole file. The writer is used up.
  Splice finish();

 private:
  void begin(std::string_view key, uint64_t value_size);
  void flush();
  void put_index_entry(std::string_view key);

  SpliceBuilder file_;
  BlockBuilder data_{16};
  BlockBuilder index_{1};
  std::string last_key_;
  bool first_ = true;
  bool pending_ =
      false;  // a block is written and its index entry is not: its key depends on the next key
  BlockHandle pending_handle_;
};

}  // namespace cryo
