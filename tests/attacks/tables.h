#pragma once

#include <string>

#include "bytes/coding.h"
#include "bytes/crc32c.h"

namespace cryo::attacks {

// Tables made by hand, whose checksums are right and whose contents are not.

struct Place {
  uint64_t offset = 0;
  uint64_t size = 0;
};

inline void put_handle(std::string& out, Place place) {
  put_varint(out, place.offset);
  put_varint(out, place.size);
}

// block | type | masked checksum of both
inline Place put_block(std::string& file, std::string block, char type = 0) {
  const Place place{file.size(), block.size()};
  block += type;
  const uint32_t crc = mask_crc(crc32c(block));
  put_fixed32(block, crc);
  file += block;
  return place;
}

// shared, lengths of suffix and value, then both
inline std::string entry(uint64_t shared, std::string_view suffix, std::string_view value) {
  std::string out;
  put_varint(out, shared);
  put_varint(out, suffix.size());
  put_varint(out, value.size());
  return out.append(suffix).append(value);
}

// entries | restart 0 | number of restarts
inline std::string block_of(const std::string& entries, uint32_t restarts = 1) {
  std::string block = entries;
  put_fixed32(block, 0);
  put_fixed32(block, restarts);
  return block;
}

// The rest of a table, whose index names one block.
inline std::string finish_table(std::string file, Place block) {
  const Place meta = put_block(file, block_of(""));
  std::string handle;
  put_handle(handle, block);
  const Place index = put_block(file, block_of(entry(0, "~", handle)));
  std::string footer;
  put_handle(footer, meta);
  put_handle(footer, index);
  footer.resize(40, '\0');
  put_fixed64(footer, 0xDB4775248B80FB57);
  return file + footer;
}

inline std::string table_of(const std::string& block, char type = 0) {
  std::string file;
  const Place place = put_block(file, block, type);
  return finish_table(std::move(file), place);
}

}  // namespace cryo::attacks
