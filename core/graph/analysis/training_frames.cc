#include "graph/analysis/training_frames.h"

#include "graph/roles.h"

namespace cryo {

std::vector<bool> training_frames(const std::vector<Node>& nodes, const Frames& frames) {
  std::vector<bool> training(frames.all.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!is_pipeline_read(nodes[i].op) || frames.of[i] == kUnknownFrame) continue;
    for (uint32_t frame = frames.of[i]; frame != kRootFrame; frame = frames.all[frame].parent) {
      training[frame] = true;
    }
  }
  return training;
}

}  // namespace cryo
