#pragma once

#include <vector>

#include "picture/place/nets.h"

namespace cryo {

// Sizes and places of all boxes, from the innermost groups outwards, and the points of all edges.
void place(BoxTree& boxes, OpenGroups& groups, std::vector<PictureEdge>& edges, Picture& picture);

}  // namespace cryo
