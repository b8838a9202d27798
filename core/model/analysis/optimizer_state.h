#pragma once

#include <set>
#include <string>

#include "model/model.h"

namespace cryo {

// What of a model's weights only training needs: the slots of optimizers (side_variables.h; moving
// averages are none), counters of steps, and the numbers that an optimizer keeps for itself.
//
//     w   w/Momentum   global_step   beta1_power   optimizer/learning_rate
//         ^            ^             ^             ^
// By the variable's name, and by the key of what a checkpoint holds besides, both without
// "/.ATTRIBUTES/VARIABLE_VALUE". Reads no tensor.
std::set<std::string> training_state(const Model& model);

}  // namespace cryo
