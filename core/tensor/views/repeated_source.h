#pragma once

#include "bytes/splice.h"

namespace cryo {

// One pattern over and over: the elements that a TensorProto does not spell out. Takes the memory
// of the pattern's slices, whatever its size.
class RepeatedSource final : public ByteSource {
 public:
  // REQUIRES: the pattern is not empty, and pattern.size() * times fits in int64_t.
  RepeatedSource(Slice pattern, uint64_t times);
  const std::string& name() const override { return pattern_.source->name(); }
  uint64_t size() const override { return pattern_.size * times_; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Slice pattern_;
  uint64_t times_;
};

// The pattern `times` times: a slice of a RepeatedSource; the pattern itself for 1, nothing for 0.
Slice repeated(Slice pattern, uint64_t times);

}  // namespace cryo
