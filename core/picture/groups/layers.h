#pragma once

#include "picture/groups/group_tree.h"

namespace cryo {

// Puts a layer and what follows it alone (bias, normalization, activation) into one group with the
// layer's name, in groups of many units:
//
//     conv2d_3 -> batch_normalization_3 -> re_lu_3 -> ...      --->      conv2d_3 -> ...
void gather_layers(GroupTree& tree);

}  // namespace cryo
