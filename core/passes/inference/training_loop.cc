#include "passes/inference/training_loop.h"

#include <algorithm>

#include "graph/analysis/training_frames.h"
#include "graph/roles.h"
#include "passes/common/graph_editor.h"

namespace cryo {
namespace {

// Returns the input of a Merge that comes from outside the loop; kNoNode if it is no loop's Merge.
Edge entry_of(const std::vector<Node>& nodes, std::span<const Edge> inputs) {
  bool loops = false;
  Edge entry;
  for (const Edge& input : inputs) {
    if (input.node == kNoNode || input.control) continue;
    const bool next = is_next_iteration(nodes[input.node].op);
    loops = loops || next;
    if (!next) entry = input;
  }
  return loops ? entry : Edge{};
}

bool chooses_by_loop(const std::vector<Node>& nodes, std::span<const Edge> inputs) {
  return inputs.size() > 1 && inputs[1].node != kNoNode && nodes[inputs[1].node].op == "LoopCond";
}

// Makes a node hand one input on, and keeps what it waits for.
void become_identity(const Node& node, std::string input, NodeEditor& editor) {
  std::vector<std::string> inputs = {std::move(input)};
  for (const std::string_view each : node.inputs()) {
    if (each.starts_with('^')) inputs.emplace_back(each);
  }
  for (const std::string_view attr :
       {"frame_name", "is_constant", "parallel_iterations", "N", "_output_shapes"}) {
    editor.erase_attr(attr);
  }
  editor.set_op(node.op.starts_with("Ref") ? "RefIdentity" : "Identity").set_inputs(inputs);
}

void take_step_value(const Graph& graph, uint32_t node, GraphEditor& editor) {
  for (const Consumer& consumer : graph.index().consumers().of(node)) {
    if (consumer.control || consumer.port != 1) continue;
    editor.node(consumer.node).inputs()[consumer.input] = graph.nodes()[node].name;
  }
}

// Returns for each frame whether its body is taken out: it trains, and an output is in it.
std::vector<bool> frames_to_leave(const Graph& graph, const Frames& frames,
                                  const std::vector<std::string>& outputs) {
  const std::vector<bool> training = training_frames(graph.nodes(), frames);
  std::vector<bool> left(training.size());
  for (const std::string& output : outputs) {
    const uint32_t node = graph.index().names().find(parse_tensor_name(output).node);
    if (node == kNoNode || frames.of[node] == kUnknownFrame) continue;
    for (uint32_t at = frames.of[node]; at != kRootFrame; at = frames.all[at].parent) {
      left[at] = training[at];
    }
  }
  return left;
}

// Returns true if the node belongs to the machinery of a loop: all but the body.
bool is_of_loop(const std::vector<Node>& nodes, const Edges& edges, uint32_t node) {
  const std::string_view op = nodes[node].op;
  const auto inputs = edges.inputs(node);
  if (is_merge(op)) return entry_of(nodes, inputs).node != kNoNode;
  if (is_switch(op)) return chooses_by_loop(nodes, inputs);
  return is_enter(op) || is_exit(op) || is_next_iteration(op);
}

}  // namespace

Model without_training_loops(const Model& model, const std::vector<std::string>& outputs,
                             GraphChanges& changes) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Edges& edges = model.graph.index().edges();
  const Frames frames = find_frames(nodes, edges, edges.consumers());
  const std::vector<bool> training = frames_to_leave(model.graph, frames, outputs);
  if (std::find(training.begin(), training.end(), true) == training.end()) return model;
  const auto in_training = [&](uint32_t node) {
    return frames.of[node] != kUnknownFrame && training[frames.of[node]];
  };
  GraphEditor editor(model.graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto inputs = edges.inputs(i);
    const bool leaves = is_exit(nodes[i].op) && !inputs.empty() && inputs[0].node != kNoNode;
    if (!in_training(leaves ? inputs[0].node : i) || !is_of_loop(nodes, edges, i)) continue;
    const Edge from = is_merge(nodes[i].op) ? entry_of(nodes, inputs) : inputs[0];
    if (is_switch(nodes[i].op)) take_step_value(model.graph, i, editor);
    become_identity(nodes[i], to_text(TensorName{nodes[from.node].name, from.port}),
                    editor.node(i));
  }
  for (size_t frame = 0; frame < training.size(); ++frame) {
    if (!training[frame]) continue;
    changes.push_back({std::string(frames.all[frame].name), kStepTaken,
                       "a loop over the steps of training; now its first step", false});
  }
  Model made = model;
  made.graph = editor.finish();
  return made;
}

}  // namespace cryo
