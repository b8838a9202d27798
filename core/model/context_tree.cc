#include "model/context_tree.h"

namespace cryo {

ContextTree::ContextTree(const Graph& graph)
    : nodes(graph.nodes()),
      names(graph.index().names()),
      edges(graph.index().edges()),
      consumers(edges.consumers()),
      frames(find_frames(nodes, edges, consumers)),
      branches(nodes, edges, consumers, frames),
      loops(find_loops(nodes, edges, frames, branches)),
      pivots_(branches.all().size()) {
  find_pivots();
}

// An Identity of the condition's Switch, as tf.cond makes it, or of another; else a Switch's
// output.
void ContextTree::find_pivots() {
  const auto take = [&](const Edge& output, const std::string& pivot) {
    const uint32_t opened = branches.opened(output);
    if (opened != kNoNode && pivots_[opened].empty()) pivots_[opened] = pivot;
  };
  for (uint32_t node = 0; node < nodes.size(); ++node) {
    const auto inputs = edges.inputs(node);
    if (nodes[node].op == "Identity" && !inputs.empty()) take(inputs[0], tensor(node));
  }
  for (uint32_t node = 0; node < nodes.size(); ++node) {
    for (uint32_t side = 0; side < 2; ++side) take({node, side, false}, tensor(node, side));
  }
}

// Outside of loops TensorFlow differentiates a conditional other than tf.cond without a context,
// but not with the context of one branch alone.
bool ContextTree::has(uint32_t context) const {
  if (context == kRootBranch) return false;
  if (is_loop(context)) return loops[context].fault.empty();
  const auto frame_count = static_cast<uint32_t>(loops.size());
  const Branch& one = branch(context);
  const Branch& other = branch(frame_count + ((context - frame_count) ^ 1U));
  if (pivots_[context].empty()) return false;
  if (one.frame != kRootFrame) return loops[one.frame].fault.empty();
  return one.regular && other.regular && !one.reversed;
}

uint32_t ContextTree::around(uint32_t branch_or_frame) const {
  uint32_t context = branch_or_frame;
  while (context != kRootBranch && !has(context)) context = branch(context).outer;
  return context;
}

}  // namespace cryo
