#pragma once

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// Gives fake quantization the ranges that training has stored. A training graph updates a range on
// its way; what serves it reads the variable:
//
//     before  AssignSub(min, ...) ---------------> FakeQuantWithMinMaxVars:1
//             Assign(max, Max(w)) ---------------> FakeQuantWithMinMaxVars:2
//             AssignSubVariableOp(v) --^ Read(v) --> the same for handles
//     after   min/read, max/read ----------------> FakeQuantWithMinMaxVars
//
// Changes numbers: a range no longer depends on what is fed. Prune afterwards.
Model with_stored_ranges(const Model& model, GraphChanges& changes);

}  // namespace cryo
