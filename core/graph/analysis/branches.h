#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "graph/analysis/frames.h"

namespace cryo {

constexpr uint32_t kRootBranch = 0;

// One side of a conditional of Switch and Merge, or the whole of a frame.
struct Branch {
  uint32_t outer = kRootBranch;  // the branch around it; of a frame: in the parent frame
  uint32_t frame = kRootFrame;
  Edge pred = {};      // the condition, before its Identities; none for a frame
  uint32_t side = 0;   // 1: the condition is true
  uint32_t depth = 0;  // branches around it in its frame
  // True if each Merge takes one value of each side and no other node takes both. False also for
  // the branches around such a branch within its frame.
  bool regular = true;
  // Merges take (false, true), as tf.cond makes them; or (true, false), as lowered Ifs do.
  bool in_order = false;
  bool reversed = false;
};

// The conditionals of a main graph, found by the Switches that share a condition:
//
//     x -> Switch(p):1 -> a --v        `a` and the Switch that only feeds it are in the branch p:1
//     x -> Switch(p):0 -> b -> Merge   `b` is in the branch p:0, Merge in the one around both
//
// The Switch of a loop, whose condition is a LoopCond, is not a conditional.
class Branches {
 public:
  // REQUIRES: the arguments outlive it.
  Branches(const std::vector<Node>& nodes, const Edges& edges, const Consumers& consumers,
           const Frames& frames);

  // The first are the frames, in their order.
  const std::vector<Branch>& all() const { return all_; }

  // Returns the branch in which TensorFlow's Python has the node: an Enter or Exit is in the loop
  // itself, a Switch in the branch that it feeds. REQUIRES: the node is in no cycle.
  uint32_t of(uint32_t node) const { return of_[node]; }

  // The branch that a Switch's output opens; kNoNode for all else.
  uint32_t opened(const Edge& output) const;

  // The tensor that an Identity of it stands for.
  Edge origin(Edge tensor) const;

 private:
  bool pass();
  void visit(uint32_t node);
  uint32_t frame_inside(uint32_t node) const;
  uint32_t branch_of(const Edge& input) const;
  uint32_t join(uint32_t one, uint32_t other);
  uint32_t merged(uint32_t node);
  void open(uint32_t node, uint32_t around);
  uint32_t branch(uint32_t outer, const Edge& pred, uint32_t side);
  bool encloses(uint32_t outer, uint32_t inner) const;
  void mark_irregular(uint32_t from, uint32_t end);
  void place_switch(uint32_t node);

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  const Frames& frames_;
  std::vector<Branch> all_;
  std::vector<uint32_t> of_;
  std::vector<uint32_t> opened_;  // by Switch: the first of two branches; kNoNode: none
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> ids_;  // outer, pred -> first
  bool changed_ = false;
};

}  // namespace cryo
