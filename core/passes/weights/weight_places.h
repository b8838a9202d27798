#pragma once

#include <string>
#include <vector>

#include "passes/weights/named_weights.h"

namespace cryo {

// Where each weight stands in the graph: what takes it, directly or through reads and nodes that
// only hand on or reshape:
//
//     w: VariableV2 --> w/read: Identity --> conv: Conv2D        "input 1 of Conv2D"
//
// As a weight before as an operand of arithmetic, of several the first found. Saving, training and
// gradients do not count. Empty for a weight that is no node of the graph, and for one that nothing
// takes.
std::vector<std::string> weight_places(const Graph& graph, const std::vector<NamedWeight>& weights);

}  // namespace cryo
