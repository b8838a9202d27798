#pragma once

#include "layout/group_tree.h"

namespace cryo {

// Puts chains of at least three groups of equal structure into a stack, and at least four units of
// equal structure between the same neighbors:
//
//     block_1 -> block_2 -> ... -> block_16      --->      block_1 … block_16, x 16
void stack_repeats(GroupTree& tree);

}  // namespace cryo
