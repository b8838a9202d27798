#pragma once

#include <optional>
#include <string_view>

#include "tensor/shape.h"

namespace cryo {

// Sizes and shapes as a person writes them: "8", "?" for a size that is not known, "[1,?,3]".
// nullopt for any other text.
std::optional<int64_t> read_size(std::string_view text);
std::optional<Shape> read_shape_text(std::string_view text);

}  // namespace cryo
