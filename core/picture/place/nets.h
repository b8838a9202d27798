#pragma once

#include <unordered_map>
#include <vector>

#include "picture/picture.h"
#include "picture/place/arrangement.h"
#include "picture/place/level.h"

namespace cryo {

// The boxes of a picture while it is made.
struct BoxTree {
  std::vector<Box> boxes = {};             // each after its parent
  std::vector<uint32_t> units = {};        // of the group tree, by box
  std::vector<uint32_t> depths = {};       // boxes around it
  std::vector<uint32_t> box_of_node = {};  // the closed box that a node is in
};

// The open groups with their rows. Key: the box; kNoBox for the root.
struct OpenGroup {
  uint32_t group = kRootGroup;
  Level level = {};
  UnitPlaces places;
  std::vector<uint32_t> boxes = {};        // of its units, by place
  std::vector<EdgeSegment> segments = {};  // by net
};
using OpenGroups = std::unordered_map<uint32_t, OpenGroup>;

// Adds up the inputs that cross between closed boxes and leads each edge through the groups around
// its ends, or makes it a stub. Sets each group's hops.
std::vector<PictureEdge> find_edges(const GroupTree& tree, BoxTree& boxes, OpenGroups& groups);

}  // namespace cryo
