#pragma once

#include "model/model.h"

namespace cryo {

// The model as TensorFlow's loaders want to be served: with the tag "serve" where it has no tags,
// with a signature "serving_default" of its likely inputs and chosen outputs (outputs.h) where it
// has none, and with its init op named (init_op.h).
Model with_serving_signature(const Model& model);

}  // namespace cryo
