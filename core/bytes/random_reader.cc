#include "bytes/random_reader.h"

#include <algorithm>

namespace cryo {

std::string_view RandomReader::view(uint64_t at, uint64_t want) {
  want = std::min(want, slice_.size - at);
  const bool here = at >= start_ && at - start_ <= buffer_.size();
  if (!here || buffer_.size() - (at - start_) < want) fill(at, want);
  return std::string_view(buffer_)
      .substr(static_cast<size_t>(at - start_))
      .substr(0, static_cast<size_t>(want));
}

// Reading on from the buffer's end doubles the step; a leap begins with a small one.
void RandomReader::fill(uint64_t at, uint64_t want) {
  const bool goes_on = at >= start_ && at - start_ <= buffer_.size() && !buffer_.empty();
  step_ = goes_on ? std::min(step_ * 2, kLastStep) : kFirstStep;
  buffer_.erase(0, goes_on ? static_cast<size_t>(at - start_) : buffer_.size());
  start_ = at;
  if (!ok()) return;
  const size_t had = buffer_.size();
  buffer_.resize(static_cast<size_t>(std::min(std::max(want, step_), slice_.size - at)));
  if (buffer_.size() == had) return;
  ++reads_;
  const Status read = read_exactly(*slice_.source, slice_.offset + start_ + had,
                                   {buffer_.data() + had, buffer_.size() - had});
  if (read) return;
  error_ = read.error();
  buffer_.resize(had);
}

}  // namespace cryo
