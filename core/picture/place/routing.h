#pragma once

#include <map>
#include <vector>

#include "picture/place/columns.h"
#include "picture/place/nets.h"

namespace cryo {

// The units of an open group, arranged; places are from the top left corner of its contents.
struct Contents {
  std::vector<Column> columns = {};  // of all parts
  std::vector<Connector> connectors = {};
  std::vector<uint32_t> column_of = {};  // by unit
  Ports entries = {};
  Ports exits = {};
  double width = 0;
  double height = 0;
  double left = 0;  // of the contents in the box
  double top = 0;
};

// Sets the points of all edges: each leads out of the groups around its source, and into those
// around its target. `contents`: by box; kNoBox for the root. REQUIRES: the boxes are placed.
void route_edges(const BoxTree& boxes, const OpenGroups& groups,
                 const std::map<uint32_t, Contents>& contents, std::vector<PictureEdge>& edges);

}  // namespace cryo
