#include "picture/place/shelves.h"

#include <algorithm>
#include <cmath>

namespace cryo {

Shelves pack(const std::vector<UnitSize>& sizes, double gap) {
  constexpr double kAspect = 1.6;
  double area = 0;
  double widest = 0;
  for (const UnitSize& size : sizes) {
    area += (size.w + gap) * (size.h + gap);
    widest = std::max(widest, size.w);
  }
  const double most = std::max(widest, std::sqrt(area * kAspect));
  Shelves shelves;
  double x = 0;
  double y = 0;
  for (const UnitSize& size : sizes) {
    if (x > 0 && x + size.w > most) {
      x = 0;
      y = shelves.height + gap;
    }
    shelves.places.emplace_back(x, y);
    shelves.width = std::max(shelves.width, x + size.w);
    shelves.height = std::max(shelves.height, y + size.h);
    x += size.w + gap;
  }
  return shelves;
}

}  // namespace cryo
