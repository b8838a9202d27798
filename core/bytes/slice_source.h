#pragma once

#include <memory>
#include <string>

#include "bytes/splice.h"

namespace cryo {

// A slice of another source as a source of its own, under a name of its own: a member that an
// archive stores as it is.
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

// Stands for a file that cannot be read: whoever reads it is told why.
class FaultSource final : public ByteSource {
 public:
  // `size` is what the file takes where it lies. Taken as at least 1, for what is empty is not
  // read.
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
