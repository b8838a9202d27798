#pragma once

#include "bytes/splice.h"

namespace cryo {

// Cuts a splice into runs, front to back, in time linear in its pieces (sub() seeks from the front
// each time).
class SpliceCutter {
 public:
  SpliceCutter() = default;
  explicit SpliceCutter(Splice whole) : whole_(std::move(whole)) {}

  uint64_t position() const { return position_; }
  uint64_t left() const { return whole_.size() - position_; }

  // The next bytes. REQUIRES: size <= left().
  Splice take(uint64_t size);

 private:
  Splice whole_ = {};
  uint64_t position_ = 0;
  size_t piece_ = 0;     // where the next bytes begin
  uint64_t within_ = 0;  // that piece
};

}  // namespace cryo
