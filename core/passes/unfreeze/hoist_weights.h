#pragma once

#include <map>
#include <string>

#include "model/model.h"
#include "passes/common/weight_selection.h"
#include "passes/weights/find_weights.h"

namespace cryo {

// Takes constants of functions' bodies that are weights out into the main graph, where they can
// become variables. Who calls the functions hands them over, through functions that call others:
//
//     before  loop: While(i)[cond(i), body(i)]          body: w = Const; MatMul(i, w:output:0)
//     after   w: Const   loop: While(i, w)[cond(i, w), body(i, w)]   body: MatMul(i, w)
//
// A constant keeps its name, with a number where that is taken; functions keep theirs. Functions
// that are known otherwise than by calls (to a data set, to a gradient) stay as they are, and where
// freezing left records, which say that constants of bodies were constants, all do.
//
// sink_weights.h is the inverse.
struct Hoisted {
  Model model;
  std::map<std::string, Weight> weights = {};  // by name: why each is one
  std::vector<std::string> fair = {};          // names of those that stay: only fair
};
Result<Hoisted> hoist_weights(const Model& model, const WeightSelection& selection);

}  // namespace cryo
