#include "passes/freeze/training_switch.h"

#include <unordered_set>

#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "graph/op_facts.h"
#include "graph/roles.h"

namespace cryo {
namespace {

constexpr int kMaxSteps = 16;

// Returns "NAME=false" for a condition that must not hold; empty if it is not the bool of a
// placeholder or a variable, plain or negated.
std::string value_of_condition(const std::vector<Node>& nodes, const Edges& edges, Edge condition,
                               bool wanted) {
  for (int step = 0; step < kMaxSteps && condition.node != kNoNode; ++step) {
    const Node& node = nodes[condition.node];
    const bool settable = is_placeholder(node.op) || is_variable(node.op);
    if (settable) return cat(node.name, wanted ? "=true" : "=false");
    const auto inputs = edges.inputs(condition.node);
    const bool negates = node.op == "LogicalNot";
    const bool hands_on = negates || is_pass_through(node.op) || has_fact(node.op, kReads);
    if (inputs.empty() || !hands_on) return {};
    wanted = wanted != negates;
    condition = inputs[0];
  }
  return {};
}

}  // namespace

std::string value_against(const std::vector<Node>& nodes, const Edges& edges, uint32_t node) {
  const auto own = edges.inputs(node);
  if (is_branch(nodes[node].op) && !own.empty()) {
    return value_of_condition(nodes, edges, own[0], false);
  }
  std::vector<uint32_t> queue = {node};
  std::unordered_set<uint32_t> seen = {node};
  for (size_t at = 0; at < queue.size(); ++at) {
    for (const Edge& input : edges.inputs(queue[at])) {
      if (input.node == kNoNode || !seen.insert(input.node).second) continue;
      const auto inputs = edges.inputs(input.node);
      if (is_switch(nodes[input.node].op) && !input.control && inputs.size() > 1) {
        std::string value = value_of_condition(nodes, edges, inputs[1], input.port == 0);
        if (!value.empty()) return value;
      }
      queue.push_back(input.node);
    }
  }
  return {};
}

}  // namespace cryo
