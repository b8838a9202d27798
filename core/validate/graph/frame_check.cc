#include "validate/graph/frame_check.h"

#include <string>

#include "base/utf8.h"
#include "graph/analysis/frames.h"

namespace cryo {
namespace {

class FrameReport {
 public:
  FrameReport(const std::vector<Node>& nodes, const Frames& frames, const Reporter& reporter)
      : nodes_(nodes), frames_(frames), reporter_(reporter) {}

  void report(const FrameFault& fault) const {
    const std::string_view name = nodes_[fault.node].name;
    if (fault.kind == FrameFault::Kind::kEnterWithoutName) {
      reporter_.warning("enter-without-name", {.node = name, .attr = "frame_name"}, "The Enter ",
                        quoted(name), " must have a frame name.");
    } else if (fault.kind == FrameFault::Kind::kExitWithoutFrame) {
      reporter_.warning("exit-without-frame", {.node = name},
                        "Invalid Exit op: Cannot find a corresponding Enter op. (", quoted(name),
                        ")");
    } else {
      reporter_.warning("mixed-frames", {.node = name, .input = fault.input}, "The node ",
                        quoted(name), " has inputs from different frames: ", shown(fault.frame),
                        " and ", shown(fault.other));
    }
  }

 private:
  std::string shown(uint32_t frame) const {
    return frame == kRootFrame ? "the root frame" : cat("frame ", quoted(frames_.all[frame].name));
  }

  const std::vector<Node>& nodes_;
  const Frames& frames_;
  const Reporter& reporter_;
};

}  // namespace

void check_frames(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter) {
  for (const Node& node : nodes) {
    if (!is_enter(node.op) && !is_exit(node.op)) continue;
    const Frames frames = find_frames(nodes, edges, edges.consumers());
    for (const FrameFault& fault : frames.faults) {
      FrameReport(nodes, frames, reporter).report(fault);
    }
    return;
  }
}

}  // namespace cryo
