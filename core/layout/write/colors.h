#pragma once

#include <string_view>

#include "layout/place/nets.h"

namespace cryo {

// What the colors of boxes stand for.
enum class ColorBy : uint8_t { kOp, kRole, kWeights, kDevice, kDtype };

// "op", "role", "weights", "device", "dtype"; nothing for another name.
std::optional<ColorBy> color_by(std::string_view name);

// Sets the color of each box. A box of several devices or dtypes is "mixed"; for ops, groups of
// equal structure have one color.
void color_boxes(const GroupTree& tree, ColorBy by, BoxTree& boxes);

}  // namespace cryo
