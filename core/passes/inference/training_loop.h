#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// Takes one step out of each loop that reads an input pipeline and has an output in its body. A TPU
// trains so, several steps a call:
//
//     before  w --> Enter --v        Merge <-- NextIteration
//             InfeedDequeue --> MatMul         in the frame: no tensor of it can be fetched
//     after   w --> Identity --v     Identity
//             InfeedDequeue --> MatMul
//
// The values that the loop hands from step to step are those of the first. Prune afterwards.
Model without_training_loops(const Model& model, const std::vector<std::string>& outputs,
                             GraphChanges& changes);

}  // namespace cryo
