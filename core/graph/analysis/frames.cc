#include "graph/analysis/frames.h"

#include <algorithm>
#include <map>

namespace cryo {
namespace {

using FrameIds = std::map<std::pair<uint32_t, std::string_view>, uint32_t>;  // by parent and name

bool is_forward(const std::vector<Node>& nodes, const Edge& edge) {
  return edge.node != kNoNode && !is_next_iteration(nodes[edge.node].op);
}

// Returns the frame of the data inputs; without any, that of the control inputs, which may come
// from anywhere. A node without inputs runs in the root frame.
uint32_t frame_of_inputs(const std::vector<Node>& nodes, const Edges& edges, uint32_t index,
                         Frames& frames) {
  uint32_t data = kUnknownFrame;
  uint32_t control = kRootFrame;
  int place = 0;
  for (const Edge& edge : edges.inputs(index)) {
    const uint32_t frame = is_forward(nodes, edge) ? frames.of[edge.node] : kUnknownFrame;
    if (frame != kUnknownFrame && edge.control) control = std::max(control, frame);
    if (frame != kUnknownFrame && !edge.control) {
      if (data != kUnknownFrame && frame != data) {
        frames.faults.push_back({FrameFault::Kind::kMixedFrames, index, place, data, frame});
        return std::max(data, frame);
      }
      data = frame;
    }
    ++place;
  }
  return data == kUnknownFrame ? control : data;
}

uint32_t enter_frame(const std::vector<Node>& nodes, uint32_t index, uint32_t parent,
                     Frames& frames, FrameIds& ids) {
  const std::string_view name = string_attr(nodes[index], "frame_name").value_or("");
  if (name.empty()) frames.faults.push_back({FrameFault::Kind::kEnterWithoutName, index});
  const auto [place, added] =
      ids.emplace(std::pair(parent, name), static_cast<uint32_t>(frames.all.size()));
  if (added) frames.all.push_back({parent, name});
  return place->second;
}

void visit_frame(const std::vector<Node>& nodes, const Edges& edges, uint32_t index, Frames& frames,
                 FrameIds& ids) {
  const Node& node = nodes[index];
  const uint32_t inside = frame_of_inputs(nodes, edges, index, frames);
  if (is_enter(node.op)) {
    frames.of[index] = enter_frame(nodes, index, inside, frames, ids);
  } else if (is_exit(node.op)) {
    frames.of[index] = frames.all[inside].parent;
    if (inside == kRootFrame) {
      frames.faults.push_back({FrameFault::Kind::kExitWithoutFrame, index});
    }
  } else {
    frames.of[index] = inside;
  }
}

}  // namespace

bool is_enter(std::string_view op) { return op == "Enter" || op == "RefEnter"; }
bool is_exit(std::string_view op) { return op == "Exit" || op == "RefExit"; }
bool is_next_iteration(std::string_view op) {
  return op == "NextIteration" || op == "RefNextIteration";
}

Frames find_frames(const std::vector<Node>& nodes, const Edges& edges, const Consumers& consumers) {
  Frames frames;
  frames.of.assign(nodes.size(), kUnknownFrame);
  std::vector<uint32_t> pending(nodes.size(), 0);
  std::vector<uint32_t> ready;
  FrameIds ids;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    for (const Edge& edge : edges.inputs(i)) pending[i] += is_forward(nodes, edge) ? 1U : 0U;
    if (pending[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const uint32_t node = ready.back();
    ready.pop_back();
    visit_frame(nodes, edges, node, frames, ids);
    frames.order.push_back(node);
    for (const Consumer& consumer : consumers.of(node)) {
      if (is_next_iteration(nodes[node].op)) break;
      if (--pending[consumer.node] == 0) ready.push_back(consumer.node);
    }
  }
  return frames;
}

}  // namespace cryo
