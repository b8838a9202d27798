#pragma once

#include <string>

#include "bytes/source.h"

namespace cryo {

// A source that counts what is read of it.
class CountingSource final : public ByteSource {
 public:
  CountingSource(std::string bytes, std::string name) : bytes_(std::move(bytes), std::move(name)) {}
  const std::string& name() const override { return bytes_.name(); }
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<char> out) const override {
    read_ += out.size();
    return bytes_.read(offset, out);
  }
  uint64_t bytes_read() const { return read_; }

 private:
  MemorySource bytes_;
  mutable uint64_t read_ = 0;
};

}  // namespace cryo
