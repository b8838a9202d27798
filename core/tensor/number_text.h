#pragma once

#include <string>

#include "tensor/dtype.h"

namespace cryo {

// Returns true if a value of the type can be written as text: bool, whole numbers, float, double,
// half, bfloat16.
bool has_number_text(DType dtype);

// Appends the element that a text denotes, little-endian as tensors hold it: "true", "1", "-3",
// "0.5" (rounded to nearest, ties to even). Returns false if the text is not a value of the type or
// is out of its range ("inf" and "nan" too). REQUIRES: has_number_text(dtype).
bool append_number(DType dtype, const std::string& text, std::string& bytes);

}  // namespace cryo
