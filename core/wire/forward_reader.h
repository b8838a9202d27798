#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bytes/splice.h"

namespace cryo {

// Reads a slice front to back through a small buffer, skipping parts without reading them. The
// error of a failed read is sticky.
class ForwardReader {
 public:
  explicit ForwardReader(Slice slice) : slice_(std::move(slice)) {}

  // Returns the next bytes, at least min(want, left()) of them; fewer only after a failed read.
  std::string_view peek(uint64_t want) {
    if (want > ahead()) refill(want);
    return std::string_view(buffer_).substr(taken_);
  }

  // REQUIRES: count <= left().
  void skip(uint64_t count);

  uint64_t position() const { return start_ + taken_; }
  uint64_t left() const { return slice_.size - position(); }
  const Slice& slice() const { return slice_; }

  bool ok() const { return !error_.has_value(); }
  const Diagnostic& error() const { return *error_; }

 private:
  uint64_t ahead() const { return buffer_.size() - taken_; }
  void refill(uint64_t want);

  Slice slice_;
  std::string buffer_;  // the slice's bytes from start_ on
  uint64_t start_ = 0;  // of buffer_ in the slice
  size_t taken_ = 0;    // bytes of buffer_ already passed
  uint64_t step_ = kFirstStep;
  std::optional<Diagnostic> error_;

  // One read of the first size opens most models; reading on without leaps doubles it.
  static constexpr uint64_t kFirstStep = uint64_t{16} * 1024;
  static constexpr uint64_t kLastStep = uint64_t{1024} * 1024;
};

}  // namespace cryo
