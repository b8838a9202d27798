#pragma once

#include <string_view>
#include <vector>

#include "graph/edges.h"

namespace cryo {

constexpr uint32_t kRootFrame = 0;
constexpr uint32_t kUnknownFrame = 0xFFFFFFFF;

bool is_enter(std::string_view op);           // Enter, RefEnter
bool is_exit(std::string_view op);            // Exit, RefExit
bool is_next_iteration(std::string_view op);  // NextIteration, RefNextIteration

// A loop as the executor runs it. Enters of one name and one parent open one frame.
struct Frame {
  uint32_t parent = kRootFrame;
  std::string_view name = {};  // the attribute `frame_name` of its Enters
};

// A node that the executor cannot run.
struct FrameFault {
  enum class Kind { kEnterWithoutName, kExitWithoutFrame, kMixedFrames };
  Kind kind = Kind::kMixedFrames;
  uint32_t node = kNoNode;
  int input = 0;                // kMixedFrames: the input that is in another frame
  uint32_t frame = kRootFrame;  // kMixedFrames: of the inputs before it
  uint32_t other = kRootFrame;  // kMixedFrames: of that input
};

// The frames of a main graph:
//
//     root | Enter(frame_name: L) -> | L  Merge -> Switch -> ... -> NextIteration -> Merge |
//          |                         |           Switch -> Exit ->                         | root
struct Frames {
  std::vector<Frame> all = {{}};     // the first is the root frame
  std::vector<uint32_t> of = {};     // of each node's outputs; kUnknownFrame within a cycle
  std::vector<uint32_t> order = {};  // nodes after their inputs, back edges ignored
  std::vector<FrameFault> faults = {};
};
Frames find_frames(const std::vector<Node>& nodes, const Edges& edges, const Consumers& consumers);

}  // namespace cryo
