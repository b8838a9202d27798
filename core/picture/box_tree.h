#pragma once

#include <vector>

#include "picture/place/nets.h"

namespace cryo {

// The boxes of what is open, with their texts and, of closed ones, their sizes; and the rows of
// each open group.
BoxTree make_boxes(const GroupTree& tree, const std::vector<bool>& open, OpenGroups& groups);

}  // namespace cryo
