#pragma once

#include "model/model.h"

namespace cryo {

// Puts constants back into the bodies of functions that un-freezing took them out of, and takes the
// arguments away that stand for them (hoisted_weights.h draws it; the arguments are marked). The
// constants of the main graph stay, for pruning.
//
// The model itself where there are none, and where not each of them is one constant by now: some
// are variables still, or a call was given another.
Result<Model> sink_weights(const Model& model);

}  // namespace cryo
