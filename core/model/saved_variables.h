#pragma once

#include <vector>

#include "model/variables.h"

namespace cryo {

// Fills in the names and the copies of a SavedModel's variables from its objects. TensorFlow 2
// names the graph's handles while it traces, and Keras 3 gives each weight three of them:
//
//     c/kernel_1   functions take it, the saver restores it        weight "c/kernel"
//     Variable_8   starts as a copy of it, only the saver takes it   copy of c/kernel_1
//     c/kernel     nothing takes it                                  copy of c/kernel_1
//     Variable_3   of a module that gave it no name                weight "layers/0/w", its path
//
// A handle is a copy of another only if nothing but the saver takes it, and if the checkpoint holds
// one value for both, by its key or by its checksum. Two variables of one name keep the graph's.
//
// Does nothing for models without objects. Reads no tensor.
void apply_saved_objects(const Model& model, std::vector<Variable>& variables);

}  // namespace cryo
