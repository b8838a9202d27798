#pragma once

#include <map>
#include <string>

#include "model/model.h"

namespace cryo {

// A variable that training adds for one of the model's own: an optimizer's slot (a momentum), or a
// moving average of it.
struct SideVariable {
  bool average = false;
  std::string of = {};  // the variable it belongs to; empty if unknown
  std::string why = {};
};

// Auxiliary variables by name; of weights without a graph, by key.
using SideVariables = std::map<std::string, SideVariable>;

// Found by structure before names:
//
//     ApplyMomentum(w, w/Momentum, rate, gradient)          the step of an optimizer takes both
//     w/.OPTIMIZER_SLOT/optimizer/momentum/.ATTRIBUTES/..   TensorFlow 2 saves it so, and only it
//     model/optimizer/_variables/3/.ATTRIBUTES/..           Keras does
//     w/Momentum, not trainable, type and shape of w        TensorFlow 1 names it so
//     w/ExponentialMovingAverage, type and shape of w       a moving average
//
// In a checkpoint alone nothing says what is trainable: there only the names of TensorFlow's own
// optimizers count. Reads no tensor.
SideVariables side_variables(const Model& model);

}  // namespace cryo
