#pragma once

#include <string>

#include "tensor/dtype.h"

namespace cryo {

// Whether a value of the type can be written as a text: bool, whole numbers, float, double,
// half, bfloat16.
bool has_number_text(DType dtype);

// Appends the element that a text says, little-endian as tensors hold it: "true", "1", "-3",
// "0.5" (rounded to the nearest, of two the even one). False where it is none of the type, or
// beyond what the type holds ("inf" and "nan" too). REQUIRES: has_number_text(dtype).
bool append_number(DType dtype, const std::string& text, std::string& bytes);

}  // namespace cryo
