#pragma once

#include "bytes/splice.h"

namespace cryo {

// Big-endian numbers as little-endian ones: the bytes of each run of `width` in reverse order.
//
//     slice   00 00 01 2C | 00 00 00 05
//     this    2C 01 00 00 | 05 00 00 00
class SwappedSource final : public ByteSource {
 public:
  // REQUIRES: slice.size is a multiple of width.
  SwappedSource(Slice slice, uint32_t width) : slice_(std::move(slice)), width_(width) {}
  const std::string& name() const override { return slice_.source->name(); }
  uint64_t size() const override { return slice_.size; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Slice slice_;
  uint32_t width_;
};

}  // namespace cryo
