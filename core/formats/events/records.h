#pragma once

#include <optional>
#include <string_view>

#include "bytes/random_reader.h"

namespace cryo {

// One of a file's records (TFRecord), which hold events or examples:
//
//     length (8)   CRC-32C of the length (4)   data (length)   CRC-32C of the data (4)
//
// The checksums are masked (bytes/crc32c.h).
//
// Source: tensorflow/core/lib/io/record_writer.h.
struct Record {
  Slice data = {};
  uint32_t crc = 0;  // of the data, not masked
  uint64_t end = 0;  // of the record, in the file
};

// Returns true if a file begins with a record.
bool begins_record(std::string_view head);

// Returns the record at `at`, without its data. nullopt if it is cut short, if its length is
// damaged, and after a failed read. REQUIRES: at <= file.size().
std::optional<Record> read_record(RandomReader& file, uint64_t at);

}  // namespace cryo
