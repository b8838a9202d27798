#pragma once

#include <span>

#include "bytes/splice.h"

namespace cryo {

// Reads a splice front to back, into buffers of any size.
// REQUIRES: the splice outlives the reader.
class SpliceReader {
 public:
  explicit SpliceReader(const Splice& splice) : splice_(splice), left_(splice.size()) {}

  uint64_t left() const { return left_; }

  // Fills `out` with the next bytes. REQUIRES: out.size() <= left().
  Status read(std::span<char> out);

 private:
  const Splice& splice_;
  uint64_t left_;
  size_t piece_ = 0;     // where the next bytes begin
  uint64_t within_ = 0;  // that piece
};

// Two splices of one size, read side by side:
//
//     PairedSteps steps(a, b);
//     while (!steps.done()) {
//       CHECK_OK(steps.next());   // now steps.a() and steps.b() are the next bytes of each
//     }
//
// REQUIRES: both outlive it.
class PairedSteps {
 public:
  PairedSteps(const Splice& a, const Splice& b);

  bool done() const { return from_a_.left() == 0; }
  Status next();

  // The step's bytes: as many of each side, a multiple of 16 except in the last step.
  std::string_view a() const { return {step_a_.data(), size_}; }
  std::string_view b() const { return {step_b_.data(), size_}; }

 private:
  SpliceReader from_a_;
  SpliceReader from_b_;
  std::string step_a_;
  std::string step_b_;
  size_t size_ = 0;
};

// Returns true if two splices have the same bytes. Reads up to the first difference, and nothing if
// both have the same pieces.
Result<bool> same_bytes(const Splice& a, const Splice& b);

}  // namespace cryo
