#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

constexpr std::string_view kLostWeight = "weight";
constexpr std::string_view kLostBytes = "bytes";

// A part of a damaged file that is not whole.
struct LostPart {
  // kLostWeight; of a graph, the field that held it: "node", "function", "versions", "graph_def",
  // ...; kLostBytes: what was stored there is not known.
  std::string what = {};
  std::string name = {};          // as far as it is known
  DType dtype = DType::kInvalid;  // of a weight
  Shape shape = {};               // of a weight
  uint64_t bytes = 0;
  Diagnostic why = {};  // with file and offset
};

using LostParts = std::vector<LostPart>;

}  // namespace cryo
