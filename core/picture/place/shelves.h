#pragma once

#include <utility>
#include <vector>

#include "picture/place/arrangement.h"

namespace cryo {

// Rectangles side by side on shelves, in order.
struct Shelves {
  double width = 0;
  double height = 0;
  std::vector<std::pair<double, double>> places = {};  // left, top
};

// About 1.6 times as wide as high.
Shelves pack(const std::vector<UnitSize>& sizes, double gap);

}  // namespace cryo
