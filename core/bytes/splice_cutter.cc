#include "bytes/splice_cutter.h"

#include <algorithm>
#include <cassert>

namespace cryo {

Splice SpliceCutter::take(uint64_t size) {
  assert(size <= left());
  position_ += size;
  Splice taken;
  while (size > 0) {
    const Slice& piece = whole_.pieces()[piece_];
    const uint64_t step = std::min(piece.size - within_, size);
    taken.append({piece.source, piece.offset + within_, step});
    size -= step;
    within_ += step;
    if (within_ < piece.size) continue;
    ++piece_;
    within_ = 0;
  }
  return taken;
}

}  // namespace cryo
