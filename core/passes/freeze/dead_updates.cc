#include "passes/freeze/dead_updates.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "graph/walk.h"
#include "passes/prune/kept_variables.h"

namespace cryo {
namespace {

// Returns true if the node may run without making its inputs observable.
bool can_stay_unobserved(std::string_view op) {
  return op == "NoOp" || op == "ReadVariableOp" || is_variable(op) || is_update(op) ||
         is_pass_through(op);
}

// Returns the nodes whose values reach an output, or an effect other than on a variable. Nodes that
// are only waited for run, too, but are not observed.
NodeSet observable_nodes(const Graph& graph, const std::vector<std::string>& outputs) {
  const std::vector<Node>& nodes = graph.nodes();
  NodeSet seen(nodes.size());
  NodeSet run(nodes.size());
  std::vector<uint32_t> queue;
  const auto observe = [&](uint32_t node) {
    if (node == kNoNode || seen[node]) return;
    seen[node] = run[node] = true;
    queue.push_back(node);
  };
  for (const std::string& output : outputs) {
    observe(graph.index().names().find(parse_tensor_name(output).node));
  }
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (const Edge& edge : graph.index().edges().inputs(node)) {
      if (edge.node == kNoNode) continue;
      const bool is_seen = !edge.control && seen[node];
      // Removed with the update.
      if (!edge.control && !is_seen && is_update(nodes[node].op)) continue;
      if (is_seen || !can_stay_unobserved(nodes[edge.node].op)) {
        observe(edge.node);
      } else if (!run[edge.node]) {
        run[edge.node] = true;
        queue.push_back(edge.node);
      }
    }
  }
  return seen;
}

// Returns the variable that an update changes; kNoNode if unknown.
uint32_t updated_variable(const Graph& graph, uint32_t update) {
  const auto inputs = graph.index().edges().inputs(update);
  const uint32_t node = inputs.empty() || inputs[0].control ? kNoNode : inputs[0].node;
  return node != kNoNode && is_variable(graph.nodes()[node].op) ? node : kNoNode;
}

bool gives_a_value(const Graph& graph, uint32_t node) {
  const auto consumers = graph.index().consumers().of(node);
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
  const NodeSet observable = observable_nodes(model.graph, outputs);
  std::map<uint32_t, uint32_t> found;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!updates(nodes[i]) || initializers.assigns.contains(std::string(nodes[i].name))) continue;
    const uint32_t variable = updated_variable(model.graph, i);
    if (variable == kNoNode || observable[variable] || gives_a_value(model.graph, i)) return {};
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
