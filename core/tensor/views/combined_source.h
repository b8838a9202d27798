#pragma once

#include <vector>

#include "bytes/splice.h"
#include "tensor/dtype.h"

namespace cryo {

// How tensors of one type and shape become one, element by element.
enum class Combination {
  kMean,     // floats, complex numbers: their mean
  kLargest,  // whole numbers: the largest
  kNone,     // all others
};
Combination combination_of(DType dtype);

// Returns the elements of several tensors combined, made while they are read in bounded memory. A
// mean is the sum in float64, in the order of the tensors, divided by their number, and rounded
// once to the type.
//
// REQUIRES: at least one tensor, all of the same size; combination_of(dtype) is not kNone.
Slice combined(const std::vector<Splice>& tensors, DType dtype);

}  // namespace cryo
