#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/splice.h"
#include "checksums.h"

namespace cryo::fuzz {

// A written file of more bytes is not read again: a small input may stand for gigabytes.
constexpr uint64_t kMaxBytes = uint64_t{4} << 20;

// The input of libFuzzer, as the files that a host would supply.

inline SourcePtr file_of(std::string_view bytes, std::string_view name = "m") {
  return std::make_shared<MemorySource>(right_checksums(std::string(bytes)), std::string(name));
}

// A file alone is its bytes, so that fixtures are seeds as they lie. A folder is what `tail -n +1
// *` prints of it:
//
//     ==> model.ckpt.meta <==\n 0A 2F ... \n==> model.ckpt.index <==\n 00 00 ...
inline std::vector<SourcePtr> files_of(std::string_view input) {
  constexpr std::string_view kBegin = "==> ", kEnd = " <==\n";
  if (!input.starts_with(kBegin)) return {file_of(input)};
  std::vector<SourcePtr> files;
  while (input.starts_with(kBegin)) {
    input.remove_prefix(kBegin.size());
    const size_t name_end = std::min(input.find(kEnd), input.size());
    const size_t begin = std::min(name_end + kEnd.size(), input.size());
    const size_t end = std::min(input.find("\n==> ", begin), input.size());
    files.push_back(file_of(input.substr(begin, end - begin), input.substr(0, name_end)));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return files;
}

// Reads as much of it as there is budget for: a small file may stand for gigabytes of zeros.
inline void read_some(const Splice& content, uint64_t& budget) {
  const uint64_t size = std::min(content.size(), budget);
  budget -= size;
  (void)content.sub(0, size).for_each_chunk([](std::string_view) { return Status(Unit{}); });
}

}  // namespace cryo::fuzz
