#include "counted_file.h"

#include <filesystem>
#include <fstream>

#include "base/text.h"

namespace cryo::laws {

CountedFile::CountedFile(std::string path)
    : path_(std::move(path)), size_(std::filesystem::file_size(path_)) {}

Status CountedFile::read(uint64_t offset, std::span<char> out) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(out.data(), static_cast<std::streamsize>(out.size()));
  read_ += out.size();
  if (!file) return failure("read-failed", cat("cannot read ", path_));
  return Unit{};
}

}  // namespace cryo::laws
