#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "picture/place/nets.h"

namespace cryo {

// The property that the colors of boxes show.
enum class ColorBy : uint8_t { kOp, kRole, kWeights, kDevice, kDtype };

// "op", "role", "weights", "device", "dtype"; nothing for another name.
std::optional<ColorBy> color_by(std::string_view name);

// Sets the color of each box. A box of several devices or dtypes is "mixed"; for ops, groups of
// equal structure have one color.
void color_boxes(const GroupTree& tree, ColorBy by, BoxTree& boxes);

// Sets the color of each box from the marks of nodes, by their names; others are "same". A box of
// several is "changed".
void mark_boxes(const GroupTree& tree, const std::unordered_map<std::string, std::string>& marks,
                BoxTree& boxes);

// Returns the class of picture_style() that gives each box its tint. Colors without a class of
// their own take k0, k1, ... in the order of the closed boxes.
std::vector<std::string> box_tints(const std::vector<Box>& boxes);

}  // namespace cryo
