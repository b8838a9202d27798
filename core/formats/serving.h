#pragma once

#include "model/model.h"

namespace cryo {

// Returns the model with the parts that TensorFlow's serving loaders need: the tag "serve" if it
// has no tags, a signature "serving_default" of its likely inputs and chosen outputs if it has
// none, and the name of its init op.
Model with_serving_signature(const Model& model);

}  // namespace cryo
