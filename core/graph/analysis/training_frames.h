#pragma once

#include <vector>

#include "graph/analysis/frames.h"

namespace cryo {

// Returns for each frame if an op in it, or in a frame within it, reads an input pipeline: such a
// loop makes the steps of a training, and its body is the network.
std::vector<bool> training_frames(const std::vector<Node>& nodes, const Frames& frames);

}  // namespace cryo
