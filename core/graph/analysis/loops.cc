#include "graph/analysis/loops.h"

#include "base/text.h"
#include "base/utf8.h"
#include "graph/roles.h"

namespace cryo {
namespace {

// The first reason counts.
void blame(uint32_t frame, const std::string& why, std::vector<Loop>& loops) {
  if (loops[frame].fault.empty()) loops[frame].fault = why;
}

bool goes_round(const std::vector<Node>& nodes, const Edges& edges, uint32_t merge) {
  const auto inputs = edges.inputs(merge);
  return inputs.size() >= 2 && !inputs[1].control && inputs[1].node != kNoNode &&
         is_next_iteration(nodes[inputs[1].node].op);
}

// Follows the Switch of the loop's condition, and the consumers of its outputs. A NextIteration's
// output belongs to the next iteration, an Enter's to another frame.
void follow_variable(const std::vector<Node>& nodes, const Edges& edges, const Branches& branches,
                     const std::vector<Loop>& loops, LoopVariable& variable, uint32_t frame) {
  for (const Consumer& consumer : edges.consumers().of(variable.merge)) {
    const auto inputs = edges.inputs(consumer.node);
    const bool switches = is_switch(nodes[consumer.node].op) && consumer.input == 0 &&
                          !consumer.control && inputs.size() >= 2 &&
                          branches.origin(inputs[1]).node == loops[frame].cond;
    if (switches && variable.branch == kNoNode) variable.branch = consumer.node;
  }
  if (variable.branch == kNoNode) return;
  for (const Consumer& consumer : edges.consumers().of(variable.branch)) {
    const std::string_view op = nodes[consumer.node].op;
    if (consumer.control) continue;
    if (is_exit(op) && variable.exit == kNoNode) variable.exit = consumer.node;
    const bool runs = consumer.port == 1 && (op == "Identity" || !is_pass_through(op)) &&
                      branches.of(consumer.node) == frame;
    if (runs && variable.body == kNoNode) variable.body = consumer.node;
  }
}

void add_variable(const std::vector<Node>& nodes, const Edges& edges, uint32_t enter, Loop& loop) {
  LoopVariable variable{enter};
  for (const Consumer& consumer : edges.consumers().of(enter)) {
    const bool merges = is_merge(nodes[consumer.node].op) && !consumer.control &&
                        consumer.input == 0 && goes_round(nodes, edges, consumer.node);
    if (merges) variable.merge = consumer.node;
  }
  loop.variables.push_back(variable);
  loop.of_gradients = loop.of_gradients || in_gradients(nodes[enter].name);
}

void add_loop_node(const std::vector<Node>& nodes, const Edges& edges, const Frames& frames,
                   uint32_t node, std::vector<Loop>& loops) {
  const uint32_t frame = frames.of[node];
  if (frame == kUnknownFrame || frame == kRootFrame) return;
  Loop& loop = loops[frame];
  if (nodes[node].op == "LoopCond") {
    if (loop.cond != kNoNode) blame(frame, "it has two conditions", loops);
    loop.cond = node;
  }
  if (!is_enter(nodes[node].op)) return;
  if (bool_attr(nodes[node], "is_constant").value_or(false)) {
    loop.constants.push_back(node);
  } else {
    add_variable(nodes, edges, node, loop);
  }
}

void check_loop(const std::vector<Node>& nodes, const Frames& frames, uint32_t frame,
                std::vector<Loop>& loops) {
  Loop& loop = loops[frame];
  if (loop.of_gradients) blame(frame, "it computes gradients", loops);
  if (frames.all[frame].name.empty()) blame(frame, "it has no name", loops);
  if (loop.cond == kNoNode) blame(frame, "it has no condition (LoopCond)", loops);
  if (loop.variables.empty()) blame(frame, "no value goes round it", loops);
  for (const LoopVariable& each : loop.variables) {
    if (each.merge != kNoNode) continue;
    blame(frame,
          cat("the value that ", quoted(nodes[each.enter].name),
              " takes in is no constant and does not go round"),
          loops);
  }
}

// A fault of an inner loop is a fault of the outer one. A frame has a higher number than the one
// around it.
void spread_faults(const Frames& frames, std::vector<Loop>& loops) {
  for (auto frame = static_cast<uint32_t>(loops.size()) - 1; frame > 0; --frame) {
    const uint32_t parent = frames.all[frame].parent;
    if (loops[frame].fault.empty() || parent == kRootFrame) continue;
    blame(parent, cat("the loop ", quoted(frames.all[frame].name), " in it: ", loops[frame].fault),
          loops);
  }
  for (uint32_t frame = 1; frame < loops.size(); ++frame) {
    if (!loops[frames.all[frame].parent].fault.empty()) blame(frame, "the loop around it", loops);
  }
}

}  // namespace

std::vector<Loop> find_loops(const std::vector<Node>& nodes, const Edges& edges,
                             const Frames& frames, const Branches& branches) {
  std::vector<Loop> loops(frames.all.size());
  for (uint32_t node = 0; node < nodes.size(); ++node)
    add_loop_node(nodes, edges, frames, node, loops);
  for (uint32_t frame = 1; frame < loops.size(); ++frame) {
    check_loop(nodes, frames, frame, loops);
    if (!loops[frame].fault.empty()) continue;
    bool leaves = false;
    for (LoopVariable& variable : loops[frame].variables) {
      follow_variable(nodes, edges, branches, loops, variable, frame);
      leaves = leaves || variable.branch != kNoNode;
    }
    if (!leaves) blame(frame, "its condition ends nothing", loops);
  }
  for (const Branch& branch : branches.all()) {
    const bool two_ways = branch.in_order && branch.reversed;
    if (branch.frame == kRootFrame || (branch.regular && !two_ways)) continue;
    blame(branch.frame,
          cat("the conditional on ", quoted(nodes[branch.pred.node].name),
              " in it has another form than tf.cond makes"),
          loops);
  }
  for (const FrameFault& fault : frames.faults) {
    const uint32_t frame = frames.of[fault.node];
    if (frame != kRootFrame)
      blame(frame, cat(quoted(nodes[fault.node].name), " is in two frames"), loops);
  }
  spread_faults(frames, loops);
  return loops;
}

}  // namespace cryo
