#pragma once

#include "picture/groups/group_tree.h"

namespace cryo {

// Puts chains of at least three units that are alike into a stack, and at least four between the
// same neighbors:
//
//     block_1 -> block_2 -> ... -> block_16      --->      block_1 to 16, x 16
//
// A node without weights between two units of a chain, an activation, is in the stack as well.
// Groups are alike if they have equal structure, or names that differ in numbers and about the same
// number of layers; nodes, if they have one op.
void stack_repeats(GroupTree& tree);

}  // namespace cryo
