#pragma once

#include <string>

#include "model/model.h"
#include "tensor/content.h"

namespace cryo {

// The value that goes by a name: a variable's, an entry's of a checkpoint without a graph, or a
// Const's. The tensor and the read of a weight name it too ("w:0", "w/read"). Reads nothing of it.
// Fails where nothing of the name has a value.
Result<Tensor> named_tensor(const Model& model, const std::string& name);

}  // namespace cryo
