#include "graph/analysis/branches.h"

#include <algorithm>

#include "graph/roles.h"
#include "graph/walk.h"

namespace cryo {
namespace {

// A loop in a branch is found after the nodes after it were visited; each nesting takes one more
// pass.
constexpr int kMaxPasses = 16;

// protobuf nests 100 messages; a context within a context takes two of them.
constexpr uint32_t kMaxNested = 40;

bool is_identity(std::string_view op) { return op == "Identity" || op == "RefIdentity"; }

}  // namespace

Branches::Branches(const std::vector<Node>& nodes, const Edges& edges, const Consumers& consumers,
                   const Frames& frames)
    : nodes_(nodes),
      edges_(edges),
      consumers_(consumers),
      frames_(frames),
      of_(nodes.size(), kRootBranch),
      opened_(nodes.size(), kNoNode) {
  for (uint32_t i = 0; i < frames.all.size(); ++i) {
    all_.push_back({frames.all[i].parent, i});
    all_.back().pred.node = kNoNode;
  }
  for (int i = 0; i < kMaxPasses && pass(); ++i) {
  }
  for (uint32_t node = 0; node < nodes.size(); ++node) {
    if (opened_[node] != kNoNode) place_switch(node);
  }
}

// Returns true if a frame was found to be in a deeper branch.
bool Branches::pass() {
  changed_ = false;
  for (Branch& branch : all_) {
    branch.regular = true;
    branch.in_order = branch.reversed = false;
  }
  for (const uint32_t node : frames_.order) visit(node);
  return changed_;
}

uint32_t Branches::opened(const Edge& output) const {
  const uint32_t first = output.node == kNoNode ? kNoNode : opened_[output.node];
  return first == kNoNode || output.control || output.port > 1 ? kNoNode : first + output.port;
}

Edge Branches::origin(Edge tensor) const {
  while (tensor.node != kNoNode && is_identity(nodes_[tensor.node].op)) {
    const auto inputs = edges_.inputs(tensor.node);
    if (inputs.empty() || inputs[0].control) break;
    tensor = inputs[0];
  }
  return tensor;
}

// The frame of a node's inputs.
uint32_t Branches::frame_inside(uint32_t node) const {
  const uint32_t frame = frames_.of[node];
  if (is_enter(nodes_[node].op)) return frames_.all[frame].parent;
  if (!is_exit(nodes_[node].op)) return frame;
  const auto inputs = edges_.inputs(node);
  const uint32_t from = inputs.empty() ? kNoNode : inputs[0].node;
  return from == kNoNode || frames_.of[from] == kUnknownFrame ? frame : frames_.of[from];
}

uint32_t Branches::branch_of(const Edge& input) const {
  const uint32_t branch = opened(input);
  if (branch != kNoNode) return branch;
  return is_exit(nodes_[input.node].op) ? all_[of_[input.node]].outer : of_[input.node];
}

void Branches::visit(uint32_t node) {
  const uint32_t inside = frame_inside(node);
  uint32_t around = inside;
  if (is_merge(nodes_[node].op)) {
    around = merged(node);
  } else if (nodes_[node].op != "ControlTrigger") {
    for (const Edge& edge : edges_.inputs(node)) {
      const bool known = edge.node != kNoNode && frames_.of[edge.node] != kUnknownFrame &&
                         !is_next_iteration(nodes_[edge.node].op);
      if (!known) continue;
      const uint32_t branch = branch_of(edge);
      if (all_[branch].frame == inside) around = join(around, branch);
    }
  }
  of_[node] = is_exit(nodes_[node].op) ? inside : around;
  if (is_enter(nodes_[node].op)) {
    Branch& loop = all_[frames_.of[node]];
    const uint32_t outer = join(loop.outer, around);
    changed_ = changed_ || loop.outer != outer;
    loop.outer = outer;
    of_[node] = frames_.of[node];
  }
  if (is_switch(nodes_[node].op)) open(node, around);
}

bool Branches::encloses(uint32_t outer, uint32_t inner) const {
  const auto frames = static_cast<uint32_t>(frames_.all.size());
  while (inner != outer && inner >= frames) inner = all_[inner].outer;
  return inner == outer;
}

void Branches::mark_irregular(uint32_t from, uint32_t end) {
  const auto frames = static_cast<uint32_t>(frames_.all.size());
  for (; from != end && from >= frames; from = all_[from].outer) all_[from].regular = false;
}

// The inner one. A node of two branches runs where both do, which tf.cond cannot say.
uint32_t Branches::join(uint32_t one, uint32_t other) {
  if (encloses(one, other)) return other;
  if (encloses(other, one)) return one;
  mark_irregular(one, kNoNode);
  mark_irregular(other, kNoNode);
  return one;
}

// The branch around those that a Merge joins; of a loop's Merge: the loop.
uint32_t Branches::merged(uint32_t node) {
  std::vector<uint32_t> from;
  for (const Edge& edge : data_inputs(edges_, node)) {
    const bool back = is_next_iteration(nodes_[edge.node].op);
    if (back || frames_.of[edge.node] != frames_.of[node]) return frames_.of[node];
    from.push_back(branch_of(edge));
  }
  if (from.empty()) return frames_.of[node];
  if (from.size() == 2 && from[0] == from[1]) return from[0];
  const auto frames = static_cast<uint32_t>(frames_.all.size());
  const bool sides = from.size() == 2 && std::min(from[0], from[1]) >= frames &&
                     ((from[0] - frames) ^ (from[1] - frames)) == 1;
  if (sides) {
    for (const uint32_t each : from) {
      (all_[from[0]].side == 0 ? all_[each].in_order : all_[each].reversed) = true;
    }
    return all_[from[0]].outer;
  }
  uint32_t around = from[0];
  for (const uint32_t each : from) {
    while (around >= frames && !encloses(around, each)) around = all_[around].outer;
  }
  for (const uint32_t each : from) mark_irregular(each, around);
  return around;
}

// The first of the two branches of a condition; the second follows it.
uint32_t Branches::branch(uint32_t outer, const Edge& pred, uint32_t side) {
  const auto id = ids_.emplace(std::make_tuple(outer, pred.node, pred.port), all_.size());
  if (id.second) {
    for (uint32_t each = 0; each < 2; ++each) {
      all_.push_back({outer, all_[outer].frame, pred, each, all_[outer].depth + 1});
    }
  }
  return id.first->second + side;
}

void Branches::open(uint32_t node, uint32_t around) {
  opened_[node] = kNoNode;
  const auto inputs = edges_.inputs(node);
  if (inputs.size() < 2 || inputs[1].control || inputs[1].node == kNoNode) return;
  const Edge pred = origin(inputs[1]);
  if (pred.node == kNoNode || nodes_[pred.node].op == "LoopCond" ||
      all_[around].depth >= kMaxNested)
    return;
  opened_[node] = branch(around, pred, 0);
}

// Places a Switch of data in the branch that it feeds. One that feeds both is placed in the one
// that may need its value for gradients; in none if both may. The Switch of the condition by
// itself, which makes the pivots, is outside of its branches.
void Branches::place_switch(uint32_t node) {
  const auto inputs = edges_.inputs(node);
  const Edge data = origin(inputs[0]);
  const Edge pred = all_[opened_[node]].pred;
  if (data.node == pred.node && data.port == pred.port) return;
  bool used[2] = {};
  bool needed[2] = {};
  for (const Consumer& consumer : consumers_.of(node)) {
    if (consumer.control || consumer.port > 1) continue;
    used[consumer.port] = true;
    if (!is_pass_through(nodes_[consumer.node].op)) needed[consumer.port] = true;
  }
  if (needed[0] && needed[1]) {
    for (uint32_t side = 0; side < 2; ++side) mark_irregular(opened_[node] + side, kNoNode);
  } else if (used[0] || used[1]) {
    const bool second = used[0] && used[1] ? !needed[0] : used[1];
    of_[node] = opened_[node] + (second ? 1 : 0);
  }
}

}  // namespace cryo
