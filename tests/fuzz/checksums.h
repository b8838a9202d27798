#pragma once

#include <cstdio>
#include <string>

#include "archive/tar_header.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "sstable/block.h"

namespace cryo::fuzz {

// Corrects the checksums of tables and of tar files, which libFuzzer cannot guess. Otherwise the
// checksum would reject each change of a file, and the code after it would never see the change.

inline void right_block(std::string& table, BlockHandle block) {
  const uint64_t room = table.size() - kBlockTrailerBytes;
  if (block.size > room || block.offset > room - block.size) return;
  const uint64_t end = block.offset + block.size + 1;  // behind the type
  std::string crc;
  put_fixed32(crc,
              mask_crc(crc32c(std::string_view(table).substr(block.offset, end - block.offset))));
  table.replace(end, crc.size(), crc);
}

inline void right_table(std::string& table) {
  const MemorySource before(table);
  const auto footer = read_footer(before);
  if (!footer) return;
  right_block(table, footer->index);
  const auto index = read_block(MemorySource(table), footer->index);
  if (!index) return;
  (void)for_each_block_entry(*index, {}, [&](std::string_view, std::string_view value) -> Status {
    BlockHandle block;
    if (take_handle(value, block)) right_block(table, block);
    return Unit{};
  });
}

// Six octal digits, a zero byte and a blank; the sum counts them as blanks.
inline void right_tar(std::string& tar) {
  constexpr size_t kChecksumAt = 148, kMagicAt = 257;
  for (size_t at = 0; at + kTarBlock <= tar.size(); at += kTarBlock) {
    if (tar.compare(at + kMagicAt, 5, "ustar") != 0) continue;
    tar.replace(at + kChecksumAt, 8, 8, ' ');
    unsigned sum = 0;
    for (size_t i = 0; i < kTarBlock; ++i) sum += static_cast<unsigned char>(tar[at + i]);
    char digits[8] = {};
    std::snprintf(digits, sizeof digits, "%06o", sum);
    tar.replace(at + kChecksumAt, 7, digits, 7);
  }
}

inline std::string right_checksums(std::string file) {
  right_table(file);
  right_tar(file);
  return file;
}

}  // namespace cryo::fuzz
