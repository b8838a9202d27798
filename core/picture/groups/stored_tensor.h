#pragma once

#include "graph/node.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A weight or constant, and the bytes of its value; an argument that is folded is a variable.
struct StoredTensor {
  DType dtype = DType::kInvalid;
  Shape shape = {};
  uint64_t elements = 0;
  uint64_t bytes = 0;
};
StoredTensor stored_tensor(const Node& node);
bool is_stored(const Node& node);

// Returns true for a weight, false for an axis, a shape or a rate.
bool is_weight(const Node& node, const StoredTensor& tensor);

}  // namespace cryo
