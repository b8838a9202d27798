#pragma once

#include <string>

#include "model/model.h"
#include "tensor/content.h"

namespace cryo {

// Returns the value with a name: a variable's, an entry's of a checkpoint without a graph, or a
// Const's. The tensor and the read of a weight name it too ("w:0", "w/read"). Reads no bytes of the
// value. Fails if nothing with that name has a value.
Result<Tensor> named_tensor(const Model& model, const std::string& name);

}  // namespace cryo
