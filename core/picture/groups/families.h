#pragma once

#include "picture/groups/group_tree.h"

namespace cryo {

// Groups neighbors, in data-flow order, whose names begin with the same words. Libraries number
// the layers of a block this way instead of opening a scope:
//
//     conv2_block1_1_conv, conv2_block1_1_bn, conv2_block1_2_conv   --->   conv2 { block1 ... }
//
// Only groups of many units are divided. Units of other names among those of a family, a third of
// them at most, belong to it.
void gather_families(GroupTree& tree);

}  // namespace cryo
