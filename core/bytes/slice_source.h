#pragma once

#include <memory>
#include <string>

#include "bytes/splice.h"

namespace cryo {

// A slice of another source as a source of its own, with a name of its own: a member that an
// archive stores without compression.
class SliceSource final : public ByteSource {
 public:
  SliceSource(Slice slice, std::string name) : slice_(std::move(slice)), name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return slice_.size; }
  Status read(uint64_t offset, std::span<char> out) const override;
  const Slice* underlying() const override { return &slice_; }

 private:
  Slice slice_;
  std::string name_;
};

// A file that cannot be read. Each read fails with the reason.
class FaultSource final : public ByteSource {
 public:
  // `size` is the file's size on its medium, raised to at least 1: a source of size 0 would never
  // be read.
  FaultSource(Diagnostic fault, uint64_t size, std::string name);
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Diagnostic fault_;
  uint64_t size_;
  std::string name_;
};

// In the place of `size` bytes of the file that `why` names. REQUIRES: size > 0.
Slice fault_slice(const Diagnostic& why, uint64_t size);

}  // namespace cryo
