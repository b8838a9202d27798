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

// The type of the numbers that an element consists of: a complex number is a pair of its parts.
DType part_dtype(DType dtype);

// The types that are computed with as doubles: half, bfloat16, float, double, int8 to int64, uint8,
// uint16.
bool is_number(DType dtype);

// The element at `bytes` as a double, which holds it exactly but for large 64-bit integers.
// REQUIRES: is_number(dtype).
double as_double(DType dtype, const char* bytes);

// Stores a value as an element, rounded to the nearest, halfway to even. A whole number is rounded
// as JavaScript's Math.round does, and clamped to the type; NaN is 0. REQUIRES: is_number(dtype).
void put_number(double value, DType dtype, char* bytes);

// Returns the value rounded to `dtype`.
double rounded(double value, DType dtype);

}  // namespace cryo
