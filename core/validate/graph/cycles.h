#pragma once

#include <span>

#include "graph/edges.h"
#include "validate/graph/findings.h"

namespace cryo {

// Finds cycles. The only legal cycle is a loop: NextIteration -> Merge, in which the Merge has one
// input from outside. The rule is exactly the importer's: it places a node once all its inputs are
// placed, and a Merge that a NextIteration feeds once its control inputs and one other are.
//
//     legal:    Enter -> Merge -> Switch -> ... -> NextIteration -> (back to Merge)
//     refused:  the same by way of an Identity
//               a NextIteration that feeds itself
//               a Merge with no input but NextIterations
//
// Inputs that name no node are ignored. REQUIRES: edges are those of the nodes.
//
// Returns the nodes that are not in a cycle nor after one, each after its inputs; a loop's Merge
// after its input from outside.
std::vector<uint32_t> check_cycles(const std::vector<Node>& nodes, const Edges& edges,
                                   const Reporter& reporter);

}  // namespace cryo
