#include "passes/inference/stored_ranges.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "graph/op_facts.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "passes/common/graph_editor.h"
#include "passes/inference/variable_reads.h"
#include "passes/set/fold_branches.h"

namespace cryo {
namespace {

constexpr int kMaxPassed = 8;

bool assigns(const Node& node) { return is_update(node.op) && !is_training_step(node.op); }

// Returns true if a read of a handle waits for an update of its variable.
bool waits_for_update(const std::vector<Node>& nodes, const Edges& edges, uint32_t read,
                      uint32_t variable) {
  const auto inputs = edges.inputs(read);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Edge& input) {
    if (!input.control || input.node == kNoNode || !assigns(nodes[input.node])) return false;
    const auto updated = edges.inputs(input.node);
    return !updated.empty() && variable_of(nodes, edges, updated[0]) == variable;
  });
}

// Returns the variable that a tensor is the value of after an update; kNoNode if it has
// no such variable.
uint32_t updated_variable(const std::vector<Node>& nodes, const Edges& edges, Edge tensor) {
  if (tensor.control) return kNoNode;
  tensor = skip_pass_through(nodes, edges, tensor, kMaxPassed, is_pass_through);
  if (tensor.node == kNoNode) return kNoNode;
  const auto inputs = edges.inputs(tensor.node);
  if (inputs.empty()) return kNoNode;
  const uint32_t variable = variable_of(nodes, edges, inputs[0]);
  if (variable == kNoNode) return kNoNode;
  const Node& node = nodes[tensor.node];
  if (assigns(node)) return variable;
  const bool reads = has_fact(node.op, kReads);
  return reads && waits_for_update(nodes, edges, tensor.node, variable) ? variable : kNoNode;
}

}  // namespace

Model with_stored_ranges(const Model& model, GraphChanges& changes) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const auto takes_range = [](const Node& node) { return has_fact(node.op, kTakesRange); };
  if (std::none_of(nodes.begin(), nodes.end(), takes_range)) return model;
  const Edges& edges = model.graph.index().edges();
  GraphEditor editor(model.graph);
  VariableReads reads(model.graph, editor);
  const std::vector<bool> ruled_out = ruled_out_by_constants(model);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto inputs = edges.inputs(i);
    if (ruled_out[i] || !takes_range(nodes[i]) || inputs.size() < 3) continue;
    std::vector<std::string> stored;
    for (const size_t end : std::array<size_t, 2>{1, 2}) {
      const uint32_t variable = updated_variable(nodes, edges, inputs[end]);
      if (variable == kNoNode) continue;
      editor.node(i).inputs()[end] = reads.of(variable);
      stored.emplace_back(nodes[variable].name);
    }
    if (stored.empty()) continue;
    changes.push_back(
        {std::string(nodes[i].name), kRangeStored,
         cat("a range that was updated on its way; now as stored in ", join(stored, " and ")),
         true});
  }
  if (!editor.is_changed()) return model;
  Model made = model;
  made.graph = editor.finish();
  return made;
}

}  // namespace cryo
