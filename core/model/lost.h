#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bytes/damaged_part.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A part of a damaged file that is not whole.
struct LostPart {
  // A kind of bytes/damaged_part.h; of a graph, the field that held it: "node", "function",
  // "versions", "graph_def", ...
  std::string what = {};
  std::string name = {};          // as far as it is known
  DType dtype = DType::kInvalid;  // of a weight
  Shape shape = {};               // of a weight
  uint64_t bytes = 0;
  Diagnostic why = {};  // with file and offset
};

using LostParts = std::vector<LostPart>;

// Returns true for a part of a container, which may have held weights: what its names were is not
// known.
inline bool may_hold_weights(const LostPart& part) {
  return part.what == kLostMember || part.what == kLostDirectory || part.what == kLostBlock ||
         part.what == kLostHeader;
}

}  // namespace cryo
