#include "graph/analysis/frames.h"

#include <algorithm>
#include <map>

namespace cryo {
namespace {

// Visits every node after its inputs, back edges ignored; its frame comes from its inputs'.
class FrameWalk {
 public:
  FrameWalk(const std::vector<Node>& nodes, const Edges& edges, const Consumers& consumers)
      : nodes_(nodes), edges_(edges), consumers_(consumers), pending_(nodes.size(), 0) {
    frames_.of.assign(nodes.size(), kUnknownFrame);
  }

  Frames run();

 private:
  bool is_forward(const Edge& edge) const {
    return edge.node != kNoNode && !is_next_iteration(nodes_[edge.node].op);
  }
  void visit(uint32_t index);
  uint32_t frame_of_inputs(uint32_t index);
  uint32_t enter(uint32_t index, uint32_t parent);

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  Frames frames_;
  std::vector<uint32_t> pending_;
  std::vector<uint32_t> ready_;
  std::map<std::pair<uint32_t, std::string_view>, uint32_t> ids_;
};

Frames FrameWalk::run() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const Edge& edge : edges_.inputs(i)) pending_[i] += is_forward(edge) ? 1U : 0U;
    if (pending_[i] == 0) ready_.push_back(i);
  }
  while (!ready_.empty()) {
    const uint32_t node = ready_.back();
    ready_.pop_back();
    visit(node);
    frames_.order.push_back(node);
    for (const Consumer& consumer : consumers_.of(node)) {
      if (is_next_iteration(nodes_[node].op)) break;
      if (--pending_[consumer.node] == 0) ready_.push_back(consumer.node);
    }
  }
  return std::move(frames_);
}

void FrameWalk::visit(uint32_t index) {
  const Node& node = nodes_[index];
  const uint32_t inside = frame_of_inputs(index);
  if (is_enter(node.op)) {
    frames_.of[index] = enter(index, inside);
  } else if (is_exit(node.op)) {
    frames_.of[index] = frames_.all[inside].parent;
    if (inside == kRootFrame) {
      frames_.faults.push_back({FrameFault::Kind::kExitWithoutFrame, index});
    }
  } else {
    frames_.of[index] = inside;
  }
}

// Returns the frame of the data inputs; without any, that of the control inputs, which may come
// from anywhere. A node without inputs runs in the root frame.
uint32_t FrameWalk::frame_of_inputs(uint32_t index) {
  uint32_t data = kUnknownFrame;
  uint32_t control = kRootFrame;
  int place = 0;
  for (const Edge& edge : edges_.inputs(index)) {
    const uint32_t frame = is_forward(edge) ? frames_.of[edge.node] : kUnknownFrame;
    if (frame != kUnknownFrame && edge.control) control = std::max(control, frame);
    if (frame != kUnknownFrame && !edge.control) {
      if (data != kUnknownFrame && frame != data) {
        frames_.faults.push_back({FrameFault::Kind::kMixedFrames, index, place, data, frame});
        return std::max(data, frame);
      }
      data = frame;
    }
    ++place;
  }
  return data == kUnknownFrame ? control : data;
}

uint32_t FrameWalk::enter(uint32_t index, uint32_t parent) {
  const std::string_view name = string_attr(nodes_[index], "frame_name").value_or("");
  if (name.empty()) frames_.faults.push_back({FrameFault::Kind::kEnterWithoutName, index});
  const auto [place, added] =
      ids_.emplace(std::pair(parent, name), static_cast<uint32_t>(frames_.all.size()));
  if (added) frames_.all.push_back({parent, name});
  return place->second;
}

}  // namespace

bool is_enter(std::string_view op) { return op == "Enter" || op == "RefEnter"; }
bool is_exit(std::string_view op) { return op == "Exit" || op == "RefExit"; }
bool is_next_iteration(std::string_view op) {
  return op == "NextIteration" || op == "RefNextIteration";
}

Frames find_frames(const std::vector<Node>& nodes, const Edges& edges, const Consumers& consumers) {
  return FrameWalk(nodes, edges, consumers).run();
}

}  // namespace cryo
