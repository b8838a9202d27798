#pragma once

#include "model/model.h"

namespace cryo {

// Moves constants back into the bodies of functions that un-freezing hoisted them out of, and
// removes the arguments that replaced them (drawing: hoist_weights.h; the arguments are marked).
// The constants of the main graph are kept, for pruning.
//
// Returns the same model if there are none, and unless each of them is one constant by now: some
// may still be variables, or a call may have received another.
Result<Model> sink_weights(const Model& model);

}  // namespace cryo
