#include "validate/graph/frame_check.h"

#include <string>

#include "base/utf8.h"
#include "graph/analysis/frames.h"

namespace cryo {
namespace {

std::string frame_text(const Frames& frames, uint32_t frame) {
  return frame == kRootFrame ? "the root frame" : cat("frame ", quoted(frames.all[frame].name));
}

void report_frame_fault(const std::vector<Node>& nodes, const Frames& frames,
                        const Reporter& reporter, const FrameFault& fault) {
  const std::string_view name = nodes[fault.node].name;
  if (fault.kind == FrameFault::Kind::kEnterWithoutName) {
    reporter.warning("enter-without-name", {.node = name, .attr = "frame_name"}, "The Enter ",
                     quoted(name), " must have a frame name.");
  } else if (fault.kind == FrameFault::Kind::kExitWithoutFrame) {
    reporter.warning("exit-without-frame", {.node = name},
                     "Invalid Exit op: Cannot find a corresponding Enter op. (", quoted(name), ")");
  } else {
    reporter.warning("mixed-frames", {.node = name, .input = fault.input}, "The node ",
                     quoted(name),
                     " has inputs from different frames: ", frame_text(frames, fault.frame),
                     " and ", frame_text(frames, fault.other));
  }
}

}  // namespace

void check_frames(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter) {
  for (const Node& node : nodes) {
    if (!is_enter(node.op) && !is_exit(node.op)) continue;
    const Frames frames = find_frames(nodes, edges, edges.consumers());
    for (const FrameFault& fault : frames.faults) {
      report_frame_fault(nodes, frames, reporter, fault);
    }
    return;
  }
}

}  // namespace cryo
