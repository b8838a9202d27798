#pragma once

#include "model/model.h"

namespace cryo {

// A graph's variables against its checkpoint: those that it should have and has not, each with what
// is near; those of another type or shape; parts that cannot be had. The other way, what of the
// checkpoint no variable takes. And the object graph of a TensorFlow 2 checkpoint against its keys.
void check_values(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
