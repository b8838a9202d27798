#include "passes/freeze/dead_updates.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "passes/prune/kept_variables.h"

namespace cryo {
namespace {

class ObservableNodes {
 public:
  ObservableNodes(const Graph& graph, const std::vector<std::string>& outputs);

  // Returns true if a value of the node reaches an output, or an effect other than on a variable.
  bool is_observable(uint32_t node) const { return seen_[node]; }

  // Returns the variable that an update changes; kNoNode if unknown.
  uint32_t variable_of(uint32_t update) const;

  bool gives_a_value(uint32_t node) const;

 private:
  bool can_stay_unobserved(uint32_t node) const;
  void observe(uint32_t node);

  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  const Consumers& consumers_;
  std::vector<bool> seen_;
  std::vector<bool> run_;  // seen, or only waited for
  std::vector<uint32_t> queue_;
};

ObservableNodes::ObservableNodes(const Graph& graph, const std::vector<std::string>& outputs)
    : nodes_(graph.nodes()),
      names_(graph.index().names()),
      edges_(graph.index().edges()),
      consumers_(graph.index().consumers()),
      seen_(nodes_.size(), false),
      run_(nodes_.size(), false) {
  for (const std::string& output : outputs) observe(names_.find(parse_tensor_name(output).node));
  while (!queue_.empty()) {
    const uint32_t node = queue_.back();
    queue_.pop_back();
    for (const Edge& edge : edges_.inputs(node)) {
      if (edge.node == kNoNode) continue;
      const bool seen = !edge.control && seen_[node];
      // Removed with the update.
      if (!edge.control && !seen && is_update(nodes_[node].op)) continue;
      if (seen || !can_stay_unobserved(edge.node)) {
        observe(edge.node);
      } else if (!run_[edge.node]) {
        run_[edge.node] = true;
        queue_.push_back(edge.node);
      }
    }
  }
}

void ObservableNodes::observe(uint32_t node) {
  if (node == kNoNode || seen_[node]) return;
  seen_[node] = run_[node] = true;
  queue_.push_back(node);
}

// Returns true if the node may run without making its inputs observable.
bool ObservableNodes::can_stay_unobserved(uint32_t node) const {
  const std::string_view op = nodes_[node].op;
  return op == "NoOp" || op == "ReadVariableOp" || is_variable(op) || is_update(op) ||
         is_pass_through(op);
}

uint32_t ObservableNodes::variable_of(uint32_t update) const {
  const auto inputs = edges_.inputs(update);
  const uint32_t node = inputs.empty() || inputs[0].control ? kNoNode : inputs[0].node;
  return node != kNoNode && is_variable(nodes_[node].op) ? node : kNoNode;
}

bool ObservableNodes::gives_a_value(uint32_t node) const {
  const auto consumers = consumers_.of(node);
  return std::any_of(consumers.begin(), consumers.end(),
                     [](const Consumer& consumer) { return !consumer.control; });
}

// Returns the indices of the updates, each with its variable; empty if one of them is observable.
std::map<uint32_t, uint32_t> dead_updates(const Model& model,
                                          const std::vector<std::string>& outputs,
                                          const VariableSelection& selection,
                                          const Initializers& initializers) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const auto updates = [](const Node& node) { return is_update(node.op); };
  if (std::none_of(nodes.begin(), nodes.end(), updates)) return {};
  const ObservableNodes observable(model.graph, outputs);
  std::map<uint32_t, uint32_t> found;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!updates(nodes[i]) || initializers.assigns.contains(std::string(nodes[i].name))) continue;
    const uint32_t variable = observable.variable_of(i);
    if (variable == kNoNode || observable.is_observable(variable) || observable.gives_a_value(i))
      return {};
    if (!selection.keeps(nodes[variable].name)) found.emplace(i, variable);
  }
  return found;
}

std::string waiting(const Node& update) {
  NodeEditor editor(update.name, "NoOp");
  for (const std::string_view input : update.inputs()) {
    if (input.starts_with('^')) editor.add_input(input);
  }
  return editor.set_device(device_of(update)).finish();
}

}  // namespace

std::optional<Model> without_dead_updates(const Model& model,
                                          const std::vector<std::string>& outputs,
                                          const VariableSelection& selection,
                                          const Initializers& initializers,
                                          Diagnostics& diagnostics) {
  const auto updates = dead_updates(model, outputs, selection, initializers);
  if (updates.empty()) return std::nullopt;
  const std::vector<Node>& nodes = model.graph.nodes();
  std::map<uint32_t, std::string> waits;
  for (const auto& [update, variable] : updates) {
    const Node& node = nodes[update];
    waits.emplace(update, waiting(node));
    diagnostics.note("update-dropped",
                     cat(node.op, " '", node.name, "' changes the variable '", nodes[variable].name,
                         "', whose value no output shows: it was removed"),
                     {.node = node.name});
  }
  Model still = model;
  still.graph = with_replaced_nodes(model.graph, waits);
  return still;
}

}  // namespace cryo
