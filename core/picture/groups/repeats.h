#pragma once

#include "picture/groups/group_tree.h"

namespace cryo {

// Puts chains of at least three groups of equal structure into a stack, and at least four units of
// equal structure between the same neighbors. In a long chain, up to four units that repeat
// together are a group:
//
//     block_1 -> block_2 -> ... -> block_16      --->      block_1 … block_16, x 16
//     conv_1 -> relu_1 -> conv_2 -> relu_2 ...   --->      conv_1 … relu_1, conv_2 … relu_2, ...
void stack_repeats(GroupTree& tree);

}  // namespace cryo
