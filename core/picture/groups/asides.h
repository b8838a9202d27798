#pragma once

#include "picture/groups/group_tree.h"

namespace cryo {

// Puts what has no layer and is off the ways from inputs to outputs at the side: shapes that are
// computed, anchors, switches of training. Three and more such units of a group are one box there.
//
//     image -> Conv2D -> ...                       --->    image -> Conv2D -> ...
//     image -> Shape -> Slice -> Pack -> (Conv2D)          [side computations]
void gather_asides(GroupTree& tree);

// Puts many inputs of the graph into one stack, and many outputs.
void stack_pins(GroupTree& tree);

}  // namespace cryo
