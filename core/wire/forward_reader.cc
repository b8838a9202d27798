#include "wire/forward_reader.h"

#include <algorithm>
#include <cassert>

namespace cryo {

void ForwardReader::skip(uint64_t count) {
  assert(count <= left());
  if (count <= ahead()) {
    taken_ += static_cast<size_t>(count);
    return;
  }
  start_ = position() + count;
  buffer_.clear();
  taken_ = 0;
  step_ = kFirstStep;
}

void ForwardReader::refill(uint64_t want) {
  const uint64_t wanted = std::min(std::max(want, step_), left());
  if (!ok() || wanted <= ahead()) return;
  buffer_.erase(0, taken_);
  start_ += taken_;
  taken_ = 0;
  const size_t had = buffer_.size();
  buffer_.resize(static_cast<size_t>(wanted));
  const Status read = read_exactly(*slice_.source, slice_.offset + start_ + had,
                                   {buffer_.data() + had, buffer_.size() - had});
  if (!read) {
    error_ = read.error();
    buffer_.resize(had);
  }
  step_ = std::min(step_ * 2, kLastStep);
}

}  // namespace cryo
