#pragma once

#include <string>
#include <vector>

#include "passes/weights/named_weights.h"

namespace cryo {

// Returns the place of each weight in the graph: its consumer, directly or through reads and nodes
// that only pass on or reshape:
//
//     w: VariableV2 --> w/read: Identity --> conv: Conv2D        "input 1 of Conv2D"
//
// A use as a weight is preferred to one as an operand of arithmetic; of several the first found is
// taken. Saving, training and gradients do not count. Empty for a weight that is not a node of the
// graph, and for one without a consumer.
std::vector<std::string> weight_places(const Graph& graph, const std::vector<NamedWeight>& weights);

}  // namespace cryo
