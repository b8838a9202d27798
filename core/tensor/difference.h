#pragma once

#include <limits>
#include <string_view>

#include "base/result.h"
#include "bytes/splice.h"
#include "tensor/dtype.h"

namespace cryo {

// How the elements of two tensors of one type differ: in their bits.
//
//     a   1.0  2.0  -0.0  NaN  5.0
//     b   1.0  2.5   0.0  4.0  5.5       count 4, first 1, largest 0.5, relative 0.2, nans 1
//
struct Difference {
  uint64_t count = 0;  // of elements whose bits differ
  uint64_t first = 0;  // the first of them, row-major; without one 0

  // Over those that differ and are numbers: |a - b|, and that over the larger of |a| and |b|.
  double largest = 0;
  double relative = 0;

  uint64_t nans = 0;  // of those that differ: one of the two is not a number
};

// Takes the bytes of both side by side, as they come.
class DifferenceTaker {
 public:
  // REQUIRES: the type has a fixed size.
  explicit DifferenceTaker(DType dtype);

  // The next bytes of each: whole elements, as many of one as of the other.
  void take(std::string_view a, std::string_view b);

  const Difference& difference() const { return difference_; }

 private:
  void take_element(const char* a, const char* b);

  DType dtype_;
  size_t width_;
  uint64_t taken_ = 0;  // elements
  Difference difference_;
};

// The same of plain strings (content.h): which differ. Reads both in bounded memory. "bad-tensor"
// where either is not `count` strings.
Result<Difference> difference_of_strings(const Splice& a, const Splice& b, uint64_t count);

}  // namespace cryo
