#include "graph/analysis/loops.h"

#include "base/text.h"
#include "base/utf8.h"
#include "graph/roles.h"

namespace cryo {
namespace {

class LoopFinder {
 public:
  LoopFinder(const std::vector<Node>& nodes, const Edges& edges, const Consumers& consumers,
             const Frames& frames, const Branches& branches)
      : nodes_(nodes),
        edges_(edges),
        consumers_(consumers),
        frames_(frames),
        branches_(branches),
        loops_(frames.all.size()) {}

  std::vector<Loop> run();

 private:
  void add(uint32_t node);
  void add_variable(uint32_t enter, Loop& loop);
  void follow(LoopVariable& variable, uint32_t frame) const;
  bool goes_round(uint32_t merge) const;
  void blame(uint32_t frame, const std::string& why);
  void check(uint32_t frame);
  void spread();

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  const Frames& frames_;
  const Branches& branches_;
  std::vector<Loop> loops_;
};

// The first reason counts.
void LoopFinder::blame(uint32_t frame, const std::string& why) {
  if (loops_[frame].fault.empty()) loops_[frame].fault = why;
}

bool LoopFinder::goes_round(uint32_t merge) const {
  const auto inputs = edges_.inputs(merge);
  return inputs.size() >= 2 && !inputs[1].control && inputs[1].node != kNoNode &&
         is_next_iteration(nodes_[inputs[1].node].op);
}

// Follows the Switch of the loop's condition, and the consumers of its outputs. A NextIteration's
// output belongs to the next iteration, an Enter's to another frame.
void LoopFinder::follow(LoopVariable& variable, uint32_t frame) const {
  for (const Consumer& consumer : consumers_.of(variable.merge)) {
    const auto inputs = edges_.inputs(consumer.node);
    const bool switches = is_switch(nodes_[consumer.node].op) && consumer.input == 0 &&
                          !consumer.control && inputs.size() >= 2 &&
                          branches_.origin(inputs[1]).node == loops_[frame].cond;
    if (switches && variable.branch == kNoNode) variable.branch = consumer.node;
  }
  if (variable.branch == kNoNode) return;
  for (const Consumer& consumer : consumers_.of(variable.branch)) {
    const std::string_view op = nodes_[consumer.node].op;
    if (consumer.control) continue;
    if (is_exit(op) && variable.exit == kNoNode) variable.exit = consumer.node;
    const bool runs = consumer.port == 1 && (op == "Identity" || !is_pass_through(op)) &&
                      branches_.of(consumer.node) == frame;
    if (runs && variable.body == kNoNode) variable.body = consumer.node;
  }
}

void LoopFinder::add_variable(uint32_t enter, Loop& loop) {
  LoopVariable variable{enter};
  for (const Consumer& consumer : consumers_.of(enter)) {
    const bool merges = is_merge(nodes_[consumer.node].op) && !consumer.control &&
                        consumer.input == 0 && goes_round(consumer.node);
    if (merges) variable.merge = consumer.node;
  }
  loop.variables.push_back(variable);
  loop.of_gradients = loop.of_gradients || in_gradients(nodes_[enter].name);
}

void LoopFinder::add(uint32_t node) {
  const uint32_t frame = frames_.of[node];
  if (frame == kUnknownFrame || frame == kRootFrame) return;
  Loop& loop = loops_[frame];
  if (nodes_[node].op == "LoopCond") {
    if (loop.cond != kNoNode) blame(frame, "it has two conditions");
    loop.cond = node;
  }
  if (!is_enter(nodes_[node].op)) return;
  if (bool_attr(nodes_[node], "is_constant").value_or(false)) {
    loop.constants.push_back(node);
  } else {
    add_variable(node, loop);
  }
}

void LoopFinder::check(uint32_t frame) {
  Loop& loop = loops_[frame];
  if (loop.of_gradients) blame(frame, "it computes gradients");
  if (frames_.all[frame].name.empty()) blame(frame, "it has no name");
  if (loop.cond == kNoNode) blame(frame, "it has no condition (LoopCond)");
  if (loop.variables.empty()) blame(frame, "no value goes round it");
  for (const LoopVariable& each : loop.variables) {
    if (each.merge != kNoNode) continue;
    blame(frame, cat("the value that ", quoted(nodes_[each.enter].name),
                     " takes in is no constant and does not go round"));
  }
}

// A fault of an inner loop is a fault of the outer one. A frame has a higher number than the one
// around it.
void LoopFinder::spread() {
  for (auto frame = static_cast<uint32_t>(loops_.size()) - 1; frame > 0; --frame) {
    const uint32_t parent = frames_.all[frame].parent;
    if (loops_[frame].fault.empty() || parent == kRootFrame) continue;
    blame(parent,
          cat("the loop ", quoted(frames_.all[frame].name), " in it: ", loops_[frame].fault));
  }
  for (uint32_t frame = 1; frame < loops_.size(); ++frame) {
    if (!loops_[frames_.all[frame].parent].fault.empty()) blame(frame, "the loop around it");
  }
}

std::vector<Loop> LoopFinder::run() {
  for (uint32_t node = 0; node < nodes_.size(); ++node) add(node);
  for (uint32_t frame = 1; frame < loops_.size(); ++frame) {
    check(frame);
    if (!loops_[frame].fault.empty()) continue;
    bool leaves = false;
    for (LoopVariable& variable : loops_[frame].variables) {
      follow(variable, frame);
      leaves = leaves || variable.branch != kNoNode;
    }
    if (!leaves) blame(frame, "its condition ends nothing");
  }
  for (const Branch& branch : branches_.all()) {
    const bool two_ways = branch.in_order && branch.reversed;
    if (branch.frame == kRootFrame || (branch.regular && !two_ways)) continue;
    blame(branch.frame, cat("the conditional on ", quoted(nodes_[branch.pred.node].name),
                            " in it has another form than tf.cond makes"));
  }
  for (const FrameFault& fault : frames_.faults) {
    const uint32_t frame = frames_.of[fault.node];
    if (frame != kRootFrame)
      blame(frame, cat(quoted(nodes_[fault.node].name), " is in two frames"));
  }
  spread();
  return std::move(loops_);
}

}  // namespace

std::vector<Loop> find_loops(const std::vector<Node>& nodes, const Edges& edges,
                             const Consumers& consumers, const Frames& frames,
                             const Branches& branches) {
  return LoopFinder(nodes, edges, consumers, frames, branches).run();
}

}  // namespace cryo
