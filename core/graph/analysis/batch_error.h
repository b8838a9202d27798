#pragma once

#include <vector>

#include "base/function_ref.h"
#include "graph/edges.h"

namespace cryo {

// Returns the nodes of a loss from the node back to its errors; empty if it is no such loss:
//
//     Sub(prediction, target) --> Square --> Mean[0,1] --> Mul(weight) --> AddV2 --> (node)
//                                            L2Loss -------------------------^
//
// Such a loss is one number: sums, products and quotients of numbers, at least one of which is a
// Mean or a Sum over the batch (axis 0) of errors: squares, absolute or squared differences,
// logarithms, or an op for a cross entropy. An error for each example is a result.
//
// `is_number`: true for each node that is known to be a single number without meaning here:
// a constant weight, a size of a batch.
std::vector<uint32_t> batch_error(const std::vector<Node>& nodes, const Edges& edges,
                                  FunctionRef<bool(uint32_t)> is_number, uint32_t node);

}  // namespace cryo
