#include "graph/check/frames.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/utf8.h"

namespace cryo {
namespace {

using FrameId = uint32_t;
constexpr FrameId kRoot = 0;
constexpr FrameId kUnknown = 0xFFFFFFFF;

bool is_enter(std::string_view op) { return op == "Enter" || op == "RefEnter"; }
bool is_exit(std::string_view op) { return op == "Exit" || op == "RefExit"; }
bool is_next_iteration(std::string_view op) {
  return op == "NextIteration" || op == "RefNextIteration";
}

// Every node after its inputs, back edges left out; the frame of each comes from its inputs'.
class FrameWalk {
 public:
  FrameWalk(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter)
      : nodes_(nodes),
        edges_(edges),
        consumers_(edges),
        reporter_(reporter),
        frame_(nodes.size(), kUnknown),
        pending_(nodes.size(), 0) {}

  void run() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      for (const Edge& edge : edges_.inputs(i)) pending_[i] += is_forward(edge) ? 1U : 0U;
      if (pending_[i] == 0) ready_.push_back(i);
    }
    while (!ready_.empty()) {
      const uint32_t node = ready_.back();
      ready_.pop_back();
      visit(node);
      for (const Consumer& consumer : consumers_.of(node)) {
        if (is_next_iteration(nodes_[node].op)) break;
        if (--pending_[consumer.node] == 0) ready_.push_back(consumer.node);
      }
    }
  }

 private:
  struct Frame {
    FrameId parent;
    std::string_view name;
  };

  bool is_forward(const Edge& edge) const {
    return edge.node != kNoNode && !is_next_iteration(nodes_[edge.node].op);
  }

  void visit(uint32_t index) {
    const Node& node = nodes_[index];
    const FrameId inside = frame_of_inputs(index);
    if (is_enter(node.op)) {
      frame_[index] = enter(node, inside);
    } else if (is_exit(node.op)) {
      frame_[index] = frames_[inside].parent;
      if (inside == kRoot) {
        reporter_.warning("exit-without-frame", {.node = node.name},
                          "Invalid Exit op: Cannot find a corresponding Enter op. (",
                          quoted(node.name), ")");
      }
    } else {
      frame_[index] = inside;
    }
  }

  // That of the data inputs; where there are none, that of the control inputs, which may come from
  // anywhere. What has no inputs at all runs in the root frame.
  FrameId frame_of_inputs(uint32_t index) {
    FrameId data = kUnknown;
    FrameId control = kRoot;
    int place = 0;
    for (const Edge& edge : edges_.inputs(index)) {
      const FrameId frame = is_forward(edge) ? frame_[edge.node] : kUnknown;
      if (frame != kUnknown && edge.control) control = std::max(control, frame);
      if (frame != kUnknown && !edge.control) {
        if (data != kUnknown && frame != data) {
          mixed(index, place, data, frame);
          return std::max(data, frame);
        }
        data = frame;
      }
      ++place;
    }
    return data == kUnknown ? control : data;
  }

  void mixed(uint32_t index, int place, FrameId one, FrameId other) {
    reporter_.warning("mixed-frames", {.node = nodes_[index].name, .input = place}, "The node ",
                      quoted(nodes_[index].name), " has inputs from different frames: ", shown(one),
                      " and ", shown(other));
  }

  std::string shown(FrameId frame) const {
    return frame == kRoot ? "the root frame" : cat("frame ", quoted(frames_[frame].name));
  }

  FrameId enter(const Node& node, FrameId parent) {
    const std::string_view name = string_attr(node, "frame_name").value_or("");
    if (name.empty()) {
      reporter_.warning("enter-without-name", {.node = node.name, .attr = "frame_name"},
                        "The Enter ", quoted(node.name), " must have a frame name.");
    }
    const auto [place, added] =
        ids_.emplace(std::pair(parent, name), static_cast<FrameId>(frames_.size()));
    if (added) frames_.push_back({parent, name});
    return place->second;
  }

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  Consumers consumers_;
  const Reporter& reporter_;
  std::vector<FrameId> frame_;
  std::vector<uint32_t> pending_;
  std::vector<uint32_t> ready_;
  std::vector<Frame> frames_ = {{kRoot, {}}};
  std::map<std::pair<FrameId, std::string_view>, FrameId> ids_;
};

}  // namespace

void check_frames(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter) {
  for (const Node& node : nodes) {
    if (is_enter(node.op) || is_exit(node.op)) {
      FrameWalk(nodes, edges, reporter).run();
      return;
    }
  }
}

}  // namespace cryo
