#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bytes/splice.h"

namespace cryo {

// Reads a slice at any place through one buffer: places near each other, in ascending order, cost
// one read. The error of a failed read is sticky.
class RandomReader {
 public:
  explicit RandomReader(Slice slice) : slice_(std::move(slice)) {}

  // Returns the bytes from `at` on: `want` of them, fewer at the end of the slice and after a
  // failed read. They are good until the next call. REQUIRES: at <= size().
  std::string_view view(uint64_t at, uint64_t want);

  uint64_t size() const { return slice_.size; }
  const Slice& slice() const { return slice_; }
  uint64_t reads() const { return reads_; }

  bool ok() const { return !error_.has_value(); }
  const Diagnostic& error() const { return *error_; }

 private:
  void fill(uint64_t at, uint64_t want);

  Slice slice_;
  std::string buffer_;  // the slice's bytes from start_ on
  uint64_t start_ = 0;
  uint64_t step_ = kFirstStep;
  uint64_t reads_ = 0;
  std::optional<Diagnostic> error_;

  static constexpr uint64_t kFirstStep = uint64_t{4} * 1024;
  static constexpr uint64_t kLastStep = uint64_t{1024} * 1024;
};

}  // namespace cryo
