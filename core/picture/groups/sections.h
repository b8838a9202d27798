#pragma once

#include "picture/groups/group_tree.h"

namespace cryo {

// Divides groups of very many units: into sections of consecutive units in data-flow order, which
// end where a single unit separates what precedes it from what follows, if there is such a place:
//
//     a -> b -> (c, d) -> e -> f -> ...      --->      a … b -> c … e -> f ...
void divide_large_groups(GroupTree& tree);

}  // namespace cryo
