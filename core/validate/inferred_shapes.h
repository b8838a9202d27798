#pragma once

#include "model/model.h"
#include "validate/check_graph.h"

namespace cryo {

// Returns the tensors of a main graph with the shapes that TensorFlow infers for them: of unknown
// rank where it infers none, and where `ops` is null.
TensorShapes inferred_shapes(const Model& model, const OpRegistry* ops, TensorShapes wanted);

}  // namespace cryo
