#pragma once

#include "graph/edges.h"
#include "validate/graph/findings.h"

namespace cryo {

// Checks the frames of loops, which import does not. Every tensor is in a frame, which Enter opens
// and Exit leaves:
//
//     root | Enter(frame_name: L) -> | L  Merge -> Switch -> ... -> NextIteration -> Merge |
//          |                         |           Switch -> Exit ->                         | root
//
// Warnings: an Enter whose frame has no name; an Exit outside every frame; a node whose inputs are
// of different frames (a tensor used in a loop without Enter, which hangs, or outside without Exit,
// which fails). REQUIRES: no cycles but loops; edges that exist.
void check_frames(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter);

}  // namespace cryo
