#pragma once

#include <vector>

#include "picture/place/cycles.h"
#include "picture/place/level.h"

namespace cryo {

// Orders the units of each row so that few edges cross: barycenter sweeps, the best of which is
// kept. Edges lead down, over one row or several.
void order_rows(UnitRows& rows, const std::vector<LevelEdge>& edges,
                const std::vector<uint32_t>& row_of);

}  // namespace cryo
