#pragma once

#include "model/model.h"

namespace cryo {

// Checks a graph's variables against its checkpoint: variables without a value, with similar names;
// values of another type or shape; unavailable parts. Also reports unused tensors of the
// checkpoint, and checks the object graph of a TensorFlow 2 checkpoint against its keys.
void check_values(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
