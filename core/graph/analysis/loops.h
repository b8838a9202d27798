#pragma once

#include <string>
#include <vector>

#include "graph/analysis/branches.h"

namespace cryo {

// A loop variable: Enter -> Merge -> Switch -> ... -> NextIteration -> Merge. A node that pruning
// removed is kNoNode.
struct LoopVariable {
  uint32_t enter = kNoNode;
  uint32_t merge = kNoNode;
  uint32_t branch = kNoNode;  // the Switch
  uint32_t exit = kNoNode;
  uint32_t body = kNoNode;  // a consumer of the Switch's value in the body
};

// A loop of Enter, Merge, Switch, NextIteration and Exit.
struct Loop {
  uint32_t cond = kNoNode;  // the LoopCond
  std::vector<LoopVariable> variables = {};
  std::vector<uint32_t> constants = {};  // Enters of values that do not change

  bool of_gradients = false;  // tf.gradients made it

  // The difference from the loops of tf.while_loop; empty if there is none.
  std::string fault = {};
};

// Returns the loops by frame; the first entry, the root frame, is not a loop. REQUIRES: the
// arguments outlive the call.
std::vector<Loop> find_loops(const std::vector<Node>& nodes, const Edges& edges,
                             const Frames& frames, const Branches& branches);

}  // namespace cryo
