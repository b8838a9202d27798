#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A node or weight that a verb made another kind of: a variable that became a constant, or the
// other way.
struct Conversion {
  std::string name;
  std::string from;  // op
  std::string to;    // op
  DType dtype;
  Shape shape;
  uint64_t bytes;
  std::string why = {};
  std::string_view confidence =
      {};  // unfreeze: "certain", "high", "fair" (passes/weights/find_weights.h)
};

using Conversions = std::vector<Conversion>;

}  // namespace cryo
