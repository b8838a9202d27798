#pragma once

#include "picture/groups/group_tree.h"

namespace cryo {

// Divides groups of many units, which neither scopes nor names divide, by their edges. First into
// modules: what is between two units that everything passes, together with the second one:
//
//     a -> (b, c, d) -> e -> (f, g) -> h      --->      a -> e { b c d } -> h { f g }
//
// A module has half of the units at most: a larger one is the group itself.
//
// Then, if there are still many, into sections of consecutive units in data-flow order, which end
// where everything passes one unit, if there is such a place.
void find_modules(GroupTree& tree);
void divide_large_groups(GroupTree& tree);

}  // namespace cryo
