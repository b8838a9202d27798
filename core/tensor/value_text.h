#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A tensor as a person writes it: a number, or lists of numbers in brackets.
//
//     0.5   [2,6]   [[1,2],[3,4]]   []
struct WrittenTensor {
  Shape shape = {};
  std::string content = {};  // little-endian elements, row-major
};

// Parses a value. nullopt if the text is not a value of the type, or if its lists differ in length.
// REQUIRES: has_number_text(dtype) (tensor/number_text.h).
std::optional<WrittenTensor> parse_value(DType dtype, std::string_view text);

}  // namespace cryo
