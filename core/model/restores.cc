#include "model/restores.h"

#include <vector>

#include "graph/edges.h"
#include "graph/roles.h"
#include "model/string_tensor.h"

namespace cryo {
namespace {

bool is_assign(std::string_view op) { return op == "Assign" || op == "AssignVariableOp"; }

class RestoreReader {
 public:
  RestoreReader(const Graph& graph, const Payloads& payloads)
      : payloads_(payloads), nodes_(graph.nodes()), names_(nodes_), edges_(nodes_, names_) {}

  Restores run(const std::string& restore_op);

 private:
  using Names = std::vector<std::string>;

  std::vector<uint32_t> assignments(const std::string& restore_op) const;
  Edge source_of(Edge edge) const;
  void read(uint32_t assignment);
  const Names& strings_of(uint32_t node);

  const Payloads& payloads_;
  const std::vector<Node>& nodes_;
  NodeNames names_;
  Edges edges_;
  std::unordered_map<uint32_t, Names> strings_;  // of Const nodes, read once
  Restores found_;
};

// The assignments that the saver's restore op waits for; without a saver, all of them.
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
    if (is_assign(nodes_[node].op)) found.push_back(node);
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
    const bool hands_on = op == "Identity" || op == "Reshape" || op == "Cast";
    if (!hands_on || edges_.inputs(edge.node).empty()) break;
    edge = edges_.inputs(edge.node)[0];
  }
  return edge;
}

const RestoreReader::Names& RestoreReader::strings_of(uint32_t node) {
  const auto [slot, fresh] = strings_.try_emplace(node);
  if (!fresh || node == kNoNode) return slot->second;
  const auto tensor = tensor_attr(nodes_[node], "value");
  if (nodes_[node].op != "Const" || !tensor) return slot->second;
  if (auto strings = read_strings(*tensor, payloads_)) slot->second = std::move(*strings);
  return slot->second;
}

// RestoreV2(prefix, tensor_names, shape_and_slices); the older ops have one name and one slice
// each, at the same places.
void RestoreReader::read(uint32_t assignment) {
  const auto inputs = edges_.inputs(assignment);
  if (inputs.size() < 2) return;
  const Edge variable = source_of(inputs[0]);
  const Edge value = source_of(inputs[1]);
  if (variable.node == kNoNode || value.node == kNoNode) return;
  const Node& restore = nodes_[value.node];
  const bool old_form = restore.op == "Restore" || restore.op == "RestoreSlice";
  if (restore.op != "RestoreV2" && !old_form) return;
  const auto sources = edges_.inputs(value.node);
  if (sources.size() < 2 || !is_variable(nodes_[variable.node].op)) return;
  const Names& keys = strings_of(sources[1].node);
  if (value.port >= keys.size()) return;
  RestoredFrom from{keys[value.port], ""};
  if (restore.op != "Restore" && sources.size() > 2) {
    const Names& slices = strings_of(sources[2].node);
    if (value.port < slices.size()) from.slice = slices[value.port];
  }
  found_.emplace(std::string(nodes_[variable.node].name), std::move(from));
}

Restores RestoreReader::run(const std::string& restore_op) {
  for (const uint32_t assignment : assignments(restore_op)) read(assignment);
  return std::move(found_);
}

}  // namespace

Restores find_restores(const Graph& graph, const std::string& restore_op,
                       const Payloads& payloads) {
  return RestoreReader(graph, payloads).run(restore_op);
}

}  // namespace cryo
