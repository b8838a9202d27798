#include "model/restores.h"

#include <vector>

#include "graph/edges.h"
#include "graph/roles.h"
#include "model/function_restores.h"

namespace cryo {
namespace {

bool is_assign(std::string_view op) { return op == "Assign" || op == "AssignVariableOp"; }

class RestoreReader {
 public:
  RestoreReader(const Graph& graph, const Payloads& payloads)
      : graph_(graph),
        ops_(payloads),
        nodes_(graph.nodes()),
        names_(nodes_),
        edges_(nodes_, names_) {}

  Restores run(const std::string& restore_op);

 private:
  std::vector<uint32_t> assignments(const std::string& restore_op) const;
  Edge source_of(Edge edge) const;
  void read_assignment(std::span<const Edge> inputs);
  void read_call(const Node& node, std::span<const Edge> inputs);
  void found(const Edge& variable, RestoredFrom from);
  const Node* node_at(std::span<const Edge> inputs, size_t place) const;

  const Graph& graph_;
  RestoreOps ops_;
  const std::vector<Node>& nodes_;
  NodeNames names_;
  Edges edges_;
  Restores found_;
};

// The assignments, and the calls of functions that assign, which the saver's restore op is or waits
// for; without a saver, all assignments.
std::vector<uint32_t> RestoreReader::assignments(const std::string& restore_op) const {
  std::vector<uint32_t> found;
  const uint32_t start = restore_op.empty() ? kNoNode : names_.find(restore_op);
  if (start == kNoNode) {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (is_assign(nodes_[i].op)) found.push_back(i);
    }
    return found;
  }
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<uint32_t> queue = {start};
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    if (is_assign(nodes_[node].op) || !called_function(nodes_[node]).empty()) found.push_back(node);
    for (const Edge& edge : edges_.inputs(node)) {
      if (edge.control && edge.node != kNoNode) queue.push_back(edge.node);
    }
  }
  return found;
}

// Back through nodes that hand a value on. Chains are short; a limit ends loops.
Edge RestoreReader::source_of(Edge edge) const {
  for (int steps = 0; steps < 16 && edge.node != kNoNode; ++steps) {
    const std::string_view op = nodes_[edge.node].op;
    if (!hands_value_on(op) || edges_.inputs(edge.node).empty()) break;
    edge = edges_.inputs(edge.node)[0];
  }
  return edge;
}

void RestoreReader::found(const Edge& variable, RestoredFrom from) {
  if (variable.node == kNoNode || !is_variable(nodes_[variable.node].op)) return;
  found_.emplace(std::string(nodes_[variable.node].name), std::move(from));
}

const Node* RestoreReader::node_at(std::span<const Edge> inputs, size_t place) const {
  const bool there = place < inputs.size() && inputs[place].node != kNoNode;
  return there ? &nodes_[inputs[place].node] : nullptr;
}

void RestoreReader::read_assignment(std::span<const Edge> inputs) {
  if (inputs.size() < 2) return;
  const Edge value = source_of(inputs[1]);
  if (value.node == kNoNode || !is_restore(nodes_[value.node].op)) return;
  const auto sources = edges_.inputs(value.node);
  auto from = ops_.read(nodes_[value.node], value.port, node_at(sources, 1), node_at(sources, 2));
  if (from) found(source_of(inputs[0]), std::move(*from));
}

void RestoreReader::read_call(const Node& node, std::span<const Edge> inputs) {
  for (RestoredArg& each : restores_of_function(graph_, called_function(node), ops_)) {
    if (each.arg < inputs.size()) found(source_of(inputs[each.arg]), std::move(each.from));
  }
}

Restores RestoreReader::run(const std::string& restore_op) {
  for (const uint32_t node : assignments(restore_op)) {
    is_assign(nodes_[node].op) ? read_assignment(edges_.inputs(node))
                               : read_call(nodes_[node], edges_.inputs(node));
  }
  return std::move(found_);
}

}  // namespace

Restores find_restores(const Graph& graph, const std::string& restore_op,
                       const Payloads& payloads) {
  return RestoreReader(graph, payloads).run(restore_op);
}

}  // namespace cryo
