#pragma once

#include <string>

#include "bytes/source.h"

namespace cryo::laws {

// A file that is opened when it is read, and counts what is read of it.
class CountedFile final : public ByteSource {
 public:
  explicit CountedFile(std::string path);
  const std::string& name() const override { return path_; }
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<char> out) const override;

  uint64_t bytes_read() const { return read_; }

 private:
  std::string path_;
  uint64_t size_;
  mutable uint64_t read_ = 0;
};

}  // namespace cryo::laws
