#include "tensor/difference.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "tensor/number.h"
#include "tensor/strings.h"

namespace cryo {
namespace {

// So many bytes are compared at once; a multiple of every element's size.
constexpr size_t kBlock = 4096;

}  // namespace

DifferenceTaker::DifferenceTaker(DType dtype) : dtype_(dtype), width_(find_dtype(dtype)->size) {
  assert(width_ > 0);
}

void DifferenceTaker::take_element(const char* a, const char* b) {
  if (std::memcmp(a, b, width_) == 0) return;
  if (difference_.count++ == 0) difference_.first = taken_;
  const Number left = number_at(dtype_, a);
  const Number right = number_at(dtype_, b);
  if (is_nan(left) || is_nan(right)) {
    ++difference_.nans;
    return;
  }
  const double apart = distance(left, right);
  difference_.largest = std::max(difference_.largest, apart);
  const double larger = std::max(size_of(left), size_of(right));
  // Infinities have no ratio.
  const double ratio = apart == 0 ? 0 : std::isinf(larger) ? larger : apart / larger;
  difference_.relative = std::max(difference_.relative, ratio);
}

void DifferenceTaker::take(std::string_view a, std::string_view b) {
  assert(a.size() == b.size() && a.size() % width_ == 0);
  for (size_t at = 0; at < a.size(); at += kBlock) {
    const size_t size = std::min(kBlock, a.size() - at);
    if (std::memcmp(a.data() + at, b.data() + at, size) == 0) {
      taken_ += size / width_;
      continue;
    }
    for (size_t i = at; i < at + size; i += width_) {
      take_element(a.data() + i, b.data() + i);
      ++taken_;
    }
  }
}

Result<Difference> difference_of_strings(const Splice& a, const Splice& b, uint64_t count) {
  Difference difference;
  TRY(left, StringCursor::open(a, count));
  TRY(right, StringCursor::open(b, count));
  for (uint64_t i = 0; i < count; ++i) {
    TRY(same, left.next_is_same(right));
    if (same) continue;
    if (difference.count++ == 0) difference.first = i;
  }
  return difference;
}

}  // namespace cryo
