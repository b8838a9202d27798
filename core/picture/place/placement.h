#pragma once

#include <vector>

#include "picture/place/nets.h"

namespace cryo {

// Sizes and places of all boxes, from the innermost groups outwards, and the points of all edges.
// Long chains are wrapped into columns, so that the picture has about the pane's proportions.
void place(BoxTree& boxes, OpenGroups& groups, std::vector<PictureEdge>& edges, Pane pane,
           Picture& picture);

}  // namespace cryo
