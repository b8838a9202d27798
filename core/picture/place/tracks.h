#pragma once

#include <cstddef>
#include <vector>

#include "picture/place/arrangement.h"

namespace cryo {

// Room between a row and the first turn of a line, and between the last turn and the next row.
struct TrackRoom {
  double above = 0;
  double below = 0;
};

// Gives each net that turns between a row and the next a height of its own, from `top` on, so that
// lines of different nets do not run into each other. Returns the room that it takes.
double lay_tracks(std::vector<EdgeRoute>& routes, size_t row, double top, const TrackRoom& room);

}  // namespace cryo
