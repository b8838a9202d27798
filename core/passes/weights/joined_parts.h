#pragma once

#include <vector>

#include "passes/weights/named_weights.h"

namespace cryo {

// Joins the weights that are the parts of one which `others` has whole. A frozen graph knows no
// partitioned variables, only their parts:
//
//     weights   "w/part_0" [2,3]   "w/part_1" [2,3]      others   "w" [4,3]
//     become    "w" [4,3]
//
// TensorFlow cuts a variable along one axis, in the order of the numbers. What does not fit
// together stays as it is. Nothing is read or copied.
void join_parts(std::vector<NamedWeight>& weights, const std::vector<NamedWeight>& others);

}  // namespace cryo
