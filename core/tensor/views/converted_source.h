#pragma once

#include "bytes/splice.h"
#include "tensor/dtype.h"

namespace cryo {

// A conversion of elements from the stored type to another, one by one:
//
//     uint8   17                  stored
//     value   17 * scale + min    in double
//     float   0.0666667           rounded to `via`: what the reader of the format computes with
//     double  0.0666666701        what the tensor's node asks for
//
// Whole numbers are rounded as JavaScript's Math.round does, and clamped to the type.
struct ElementConversion {
  DType from = DType::kInvalid;
  double scale = 1;
  double min = 0;
  DType via = DType::kInvalid;
  DType to = DType::kInvalid;
};

// Returns true if elements can be converted so: from, via and to are real or whole numbers of a
// fixed size (bool, complex64 and complex128 only to themselves or a wider type).
bool is_convertible(const ElementConversion& conversion);

// The elements of a splice, converted while they are read, in bounded memory.
// REQUIRES: is_convertible; the splice is a whole number of elements, its converted size below
// 2^63.
Slice converted(const Splice& stored, const ElementConversion& conversion);

// How much a conversion changes numbers.
struct ConversionEffect {
  bool exact = true;   // every element is the same number once converted; a NaN stays one
  double largest = 0;  // |converted - value|; infinite if a finite number is too large for `to`
};

// Reads all of the splice.
Result<ConversionEffect> conversion_effect(const Splice& stored,
                                           const ElementConversion& conversion);

// Returns true if the conversion changes no value.
Result<bool> converts_exactly(const Splice& stored, const ElementConversion& conversion);

}  // namespace cryo
