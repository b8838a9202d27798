#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "bytes/source.h"
#include "source_folder.h"

// Helpers for several tests: bytes in hexadecimal, and files of the project as sources.

namespace cryo {

// "0b 78" -> two bytes; blanks do not count.
inline std::string unhex(std::string_view digits) {
  std::string bytes;
  std::string pair;
  for (const char digit : digits) {
    if (digit != ' ') pair += digit;
    if (pair.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(pair, nullptr, 16));
    pair.clear();
  }
  return bytes;
}

inline std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Null where there is no such file.
inline SourcePtr file_source(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return nullptr;
  return std::make_shared<MemorySource>(file_bytes(path), path.string());
}

// tests/data: models that TensorFlow wrote (tests/data/README.md).
inline std::filesystem::path fixture(std::string_view name) {
  return std::filesystem::path(source_folder()) / "tests/data" / name;
}

// Real models, not part of the project: tests that want them are skipped where they are absent.
inline std::filesystem::path corpus() {
  return std::filesystem::path(source_folder()) / "../shared/corpus";
}

}  // namespace cryo
