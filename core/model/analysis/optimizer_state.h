#pragma once

#include <set>
#include <string>

#include "model/model.h"

namespace cryo {

// Returns the weights of a model that only training needs: the slots of optimizers
// (auxiliary_variables.h; moving averages do not count), counters of steps, and the numbers that an
// optimizer stores for itself.
//
//     w   w/Momentum   global_step   beta1_power   optimizer/learning_rate
//         ^            ^             ^             ^
//
// Named by the variable, or by the key of other tensors of a checkpoint, both without
// "/.ATTRIBUTES/VARIABLE_VALUE". Reads no tensor.
std::set<std::string> training_state(const Model& model);

}  // namespace cryo
