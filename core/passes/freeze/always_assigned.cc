#include "passes/freeze/always_assigned.h"

#include <algorithm>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/roles.h"
#include "passes/prune/kept_variables.h"

namespace cryo {
namespace {

class Finder {
 public:
  explicit Finder(const Graph& graph)
      : nodes_(graph.nodes()),
        edges_(graph.index().edges()),
        consumers_(graph.index().consumers()) {}

  // The assignment that comes before all reads; kNoNode if there is none.
  uint32_t assignment_of(uint32_t variable) const;

  // Returns the assigned tensor: "value", "value:1". Empty if it is not one.
  std::string value_of(uint32_t assignment) const;

 private:
  bool waits_for(uint32_t node, uint32_t other) const;
  bool takes_a_reference(const Consumer& consumer) const;

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
};

bool Finder::waits_for(uint32_t node, uint32_t other) const {
  const auto inputs = edges_.inputs(node);
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Edge& edge) { return edge.control && edge.node == other; });
}

// A consumer that takes a variable by reference may change it again.
bool Finder::takes_a_reference(const Consumer& consumer) const {
  const std::string_view op = nodes_[consumer.node].op;
  return !consumer.control &&
         (is_update(op) || op.starts_with("Ref") || op == "IsVariableInitialized");
}

uint32_t Finder::assignment_of(uint32_t variable) const {
  const bool resource = is_resource_variable(nodes_[variable].op);
  const auto taken = consumers_.of(variable);
  uint32_t assignment = kNoNode;
  for (const Consumer& consumer : taken) {
    const std::string_view op = nodes_[consumer.node].op;
    const bool assigns = op == (resource ? "AssignVariableOp" : "Assign") && consumer.input == 0;
    if (assigns && !consumer.control && assignment == kNoNode) assignment = consumer.node;
  }
  if (assignment == kNoNode) return kNoNode;
  for (const Consumer& consumer : taken) {
    if (consumer.control || consumer.node == assignment) continue;
    const bool reads = nodes_[consumer.node].op == "ReadVariableOp";
    if (!resource || !reads || !waits_for(consumer.node, assignment)) return kNoNode;
  }
  const auto after = consumers_.of(assignment);
  const bool changed = std::any_of(after.begin(), after.end(), [&](const Consumer& consumer) {
    return takes_a_reference(consumer);
  });
  return changed ? kNoNode : assignment;
}

std::string Finder::value_of(uint32_t assignment) const {
  const auto inputs = edges_.inputs(assignment);
  if (inputs.size() < 2 || inputs[1].control || inputs[1].node == kNoNode) return {};
  const std::string_view name = nodes_[inputs[1].node].name;
  return inputs[1].port == 0 ? std::string(name) : cat(name, ":", inputs[1].port);
}

}  // namespace

void find_always_assigned(const Model& model, const std::vector<std::string>& outputs,
                          const VariableSelection& selection, Diagnostics& diagnostics,
                          Initializers& initializers) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const auto assigns = [](const Node& node) { return is_assignment(node.op); };
  if (std::none_of(nodes.begin(), nodes.end(), assigns)) return;
  const Finder finder(model.graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const std::string name(nodes[i].name);
    if (!is_variable(nodes[i].op) || selection.keeps(name)) continue;
    const auto is_it = [&](const std::string& out) { return parse_tensor_name(out).node == name; };
    if (std::any_of(outputs.begin(), outputs.end(), is_it)) continue;
    const uint32_t assignment = finder.assignment_of(i);
    const std::string value = assignment == kNoNode ? "" : finder.value_of(assignment);
    if (value.empty() || !initializers.first.emplace(name, value).second) continue;
    initializers.assigns.emplace(nodes[assignment].name);
    diagnostics.note("always-assigned",
                     cat("the variable '", name, "' is read only after '", nodes[assignment].name,
                         "' has assigned it '", value, "': it became that"),
                     {.node = name});
  }
}

}  // namespace cryo
