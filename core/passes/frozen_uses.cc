#include "passes/frozen_uses.h"

#include <algorithm>

#include "base/text.h"
#include "graph/roles.h"
#include "passes/variable_nodes.h"

namespace cryo {
FrozenUses::FrozenUses(const Model& model)
    : nodes_(model.graph.nodes()),
      names_(nodes_),
      edges_(nodes_, names_),
      consumers_(edges_),
      uses_(nodes_.size()),
      outputs_(nodes_.size(), false) {}

Status FrozenUses::find(const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) {
    const uint32_t node = names_.find(parse_tensor_name(output).node);
    if (node != kNoNode) outputs_[node] = true;
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!is_variable(nodes_[i].op)) continue;
    const auto dtype = static_cast<DType>(type_attr(nodes_[i], "dtype").value_or(0));
    CHECK_OK(follow(i, dtype, is_resource_variable(nodes_[i].op)));
  }
  return Unit{};
}

Status FrozenUses::follow(uint32_t variable, DType dtype, bool resource) {
  uses_[variable].kind = FrozenUse::kVariable;
  variable_ = variable;
  std::vector<uint32_t> queue = {variable};
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (const Consumer& consumer : consumers_.of(node)) {
      if (consumer.control) continue;
      CHECK_OK(resource ? use_handle(consumer, dtype, queue) : use_reference(consumer, queue));
    }
  }
  return Unit{};
}

Status FrozenUses::use_handle(const Consumer& consumer, DType dtype, std::vector<uint32_t>& queue) {
  const Node& node = nodes_[consumer.node];
  FrozenUse& use = uses_[consumer.node];
  if (node.op == "ReadVariableOp") {
    const bool added = find_attr(node, kAddedReadAttr).has_value() && !outputs_[consumer.node];
    use.kind = added ? FrozenUse::kAddedRead : FrozenUse::kRead;
    if (added) added_reads_.emplace(node.name, nodes_[variable_].name);
  } else if (node.op == "ResourceGather" || node.op == "ResourceGatherNd") {
    use.kind = FrozenUse::kGather;
  } else if (node.op == "VarIsInitializedOp") {
    use.kind = FrozenUse::kAsksInitialised;
  } else if (is_pass_through(node.op)) {
    if (use.kind == FrozenUse::kNone) queue.push_back(consumer.node);
    use = {FrozenUse::kHandsOn, dtype};
  } else if (is_update(node.op)) {
    return cannot(consumer.node, "changes it");
  } else {
    return cannot(consumer.node, cat("takes its handle into ", node.op));
  }
  return Unit{};
}

Status FrozenUses::use_reference(const Consumer& consumer, std::vector<uint32_t>& queue) {
  const Node& node = nodes_[consumer.node];
  FrozenUse& use = uses_[consumer.node];
  if (node.op == "IsVariableInitialized") {
    use.kind = FrozenUse::kAsksInitialised;
  } else if (is_pass_through(node.op) && node.op.starts_with("Ref")) {
    if (use.kind == FrozenUse::kNone) queue.push_back(consumer.node);
    use.kind = FrozenUse::kHandsOn;
  } else if (is_update(node.op)) {
    return cannot(consumer.node, "changes it");
  }
  return Unit{};
}

Failure FrozenUses::cannot(uint32_t node, std::string_view why) const {
  return failure(
      "variable-in-use",
      cat("the variable '", nodes_[variable_].name, "' cannot become a constant: ", nodes_[node].op,
          " '", nodes_[node].name, "' ", why, ", and an output needs that: ", path_to_output(node)),
      {.node = std::string(nodes_[node].name)},
      "choose outputs that do not need it (--outputs), or cut there (--inputs)");
}

// A shortest way along data and control edges: "assign -> group -> logits".
std::string FrozenUses::path_to_output(uint32_t node) const {
  std::vector<uint32_t> from(nodes_.size(), kNoNode);
  std::vector<uint32_t> queue = {node};
  from[node] = node;
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t at = queue[i];
    if (outputs_[at]) {
      std::vector<std::string> path;
      for (uint32_t step = at; step != node; step = from[step])
        path.emplace_back(nodes_[step].name);
      path.emplace_back(nodes_[node].name);
      std::reverse(path.begin(), path.end());
      return join(path, " -> ");
    }
    for (const Consumer& consumer : consumers_.of(at)) {
      if (from[consumer.node] != kNoNode) continue;
      from[consumer.node] = at;
      queue.push_back(consumer.node);
    }
  }
  return std::string(nodes_[node].name);
}

std::string_view FrozenUses::variable_of_added_read(std::string_view name) const {
  const auto found = added_reads_.find(name);
  return found == added_reads_.end() ? std::string_view() : found->second;
}

}  // namespace cryo
