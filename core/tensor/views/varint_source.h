#pragma once

#include <optional>

#include "bytes/splice.h"
#include "wire/forward_reader.h"

namespace cryo {

// The plain elements of a list of varints (int_val, half_val, int64_val, ...), decoded while they
// are read:
//
//     list         05    | AC 02 | FF FF FF FF FF FF FF FF FF 01      int_val 5, 300, -1
//     uint16[4]    05 00 | 2C 01 | FF FF | FF FF      cut to the element's width; the last repeats
//
// Surplus varints are ignored. An empty list means that all elements are 0. Sequential reads decode
// each varint once; going back restarts from the beginning.
class VarintSource final : public ByteSource {
 public:
  enum class Element { kInteger, kBool };  // a bool is 1 for every varint but 0

  // REQUIRES: count * width fits in int64_t.
  VarintSource(Slice list, uint64_t count, uint32_t width, Element element);
  const std::string& name() const override { return list_.source->name(); }
  uint64_t size() const override { return count_ * width_; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Status seek(uint64_t index) const;
  Status decode_next() const;

  Slice list_;
  uint64_t count_;
  uint32_t width_;
  Element element_;

  // The decoding position: value_ is the last of decoded_ elements.
  mutable std::optional<ForwardReader> window_;
  mutable uint64_t decoded_ = 0;
  mutable uint64_t value_ = 0;
};

}  // namespace cryo
