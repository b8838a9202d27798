#pragma once

#include <cstdint>

#include "tensor/dtype.h"

namespace cryo {

// One element of a tensor as a number, the unit of differences between tensors.
//
//     float32, bfloat16, half, float8_..., double     real
//     complex64, complex128                           real and imaginary
//     int8 ... uint64, qint8 ..., int4, bool          whole, exact
struct Number {
  bool whole = false;
  bool negative = false;   // of a whole one
  uint64_t magnitude = 0;  // of a whole one
  double real = 0;
  double imaginary = 0;
};

// The element at `bytes`, as plain content has it (content.h). REQUIRES: the type has a fixed size.
Number number_at(DType dtype, const char* bytes);

bool is_nan(const Number& number);
double size_of(const Number& number);  // its absolute value

// |a - b|; of whole numbers rounded once, of complex ones the distance. NaN where either is.
double distance(const Number& a, const Number& b);

}  // namespace cryo
