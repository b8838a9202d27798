#include "passes/freeze/always_assigned.h"

#include <algorithm>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/roles.h"
#include "passes/prune/kept_variables.h"

namespace cryo {
namespace {

bool waits_for_node(const Graph& graph, uint32_t node, uint32_t other) {
  const auto inputs = graph.index().edges().inputs(node);
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Edge& edge) { return edge.control && edge.node == other; });
}

// A consumer that takes a variable by reference may change it again.
bool takes_a_reference(const Graph& graph, const Consumer& consumer) {
  const std::string_view op = graph.nodes()[consumer.node].op;
  return !consumer.control &&
         (is_update(op) || op.starts_with("Ref") || op == "IsVariableInitialized");
}

uint32_t assignment_of(const Graph& graph, uint32_t variable) {
  const bool resource = is_resource_variable(graph.nodes()[variable].op);
  const auto taken = graph.index().consumers().of(variable);
  uint32_t assignment = kNoNode;
  for (const Consumer& consumer : taken) {
    const std::string_view op = graph.nodes()[consumer.node].op;
    const bool assigns = op == (resource ? "AssignVariableOp" : "Assign") && consumer.input == 0;
    if (assigns && !consumer.control && assignment == kNoNode) assignment = consumer.node;
  }
  if (assignment == kNoNode) return kNoNode;
  for (const Consumer& consumer : taken) {
    if (consumer.control || consumer.node == assignment) continue;
    const bool reads = graph.nodes()[consumer.node].op == "ReadVariableOp";
    if (!resource || !reads || !waits_for_node(graph, consumer.node, assignment)) return kNoNode;
  }
  const auto after = graph.index().consumers().of(assignment);
  const bool changed = std::any_of(after.begin(), after.end(), [&](const Consumer& consumer) {
    return takes_a_reference(graph, consumer);
  });
  return changed ? kNoNode : assignment;
}

std::string assigned_value(const Graph& graph, uint32_t assignment) {
  const auto inputs = graph.index().edges().inputs(assignment);
  if (inputs.size() < 2 || inputs[1].control || inputs[1].node == kNoNode) return {};
  const std::string_view name = graph.nodes()[inputs[1].node].name;
  return inputs[1].port == 0 ? std::string(name) : cat(name, ":", inputs[1].port);
}

}  // namespace

void find_always_assigned(const Model& model, const std::vector<std::string>& outputs,
                          const VariableSelection& selection, Diagnostics& diagnostics,
                          Initializers& initializers) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const auto assigns = [](const Node& node) { return is_assignment(node.op); };
  if (std::none_of(nodes.begin(), nodes.end(), assigns)) return;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const std::string name(nodes[i].name);
    if (!is_variable(nodes[i].op) || selection.keeps(name)) continue;
    const auto is_it = [&](const std::string& out) { return parse_tensor_name(out).node == name; };
    if (std::any_of(outputs.begin(), outputs.end(), is_it)) continue;
    const uint32_t assignment = assignment_of(model.graph, i);
    const std::string value = assignment == kNoNode ? "" : assigned_value(model.graph, assignment);
    if (value.empty() || !initializers.first.emplace(name, value).second) continue;
    initializers.assigns.emplace(nodes[assignment].name);
    diagnostics.note("always-assigned",
                     cat("the variable '", name, "' is read only after '", nodes[assignment].name,
                         "' has assigned it '", value, "': it became that"),
                     {.node = name});
  }
}

}  // namespace cryo
