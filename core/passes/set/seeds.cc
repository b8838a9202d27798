#include "passes/set/seeds.h"

#include "graph/evaluate/evaluate.h"
#include "graph/functions/function_callers.h"
#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/walk.h"
#include "passes/set/set_values.h"
#include "passes/set/set_variables.h"

namespace cryo {
namespace {

// Returns the input that chooses what the node does; -1 if there is none.
int condition_input(std::string_view op) {
  if (is_switch(op)) return 1;
  return op == "Select" || op == "SelectV2" || is_branch(op) ? 0 : -1;
}

bool computes(std::string_view op) { return has_fact(op, kHandsOn) || can_evaluate(op); }

}  // namespace

std::vector<uint32_t> find_seeds(const NodeNames& names, const std::vector<std::string>& set) {
  std::vector<uint32_t> seeds;
  for (const std::string& text : set) {
    const std::string_view name = set_node(text);
    for (const uint32_t node : {names.find(name), names.find(constant_of_variable(name))}) {
      if (node != kNoNode) seeds.push_back(node);
    }
  }
  return seeds;
}

std::vector<uint32_t> constants_of_conditions(const std::vector<Node>& nodes, const Edges& edges) {
  std::vector<uint32_t> conditions;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const int place = condition_input(nodes[i].op);
    const auto inputs = edges.inputs(i);
    if (place < 0 || inputs.size() <= static_cast<size_t>(place)) continue;
    conditions.push_back(inputs[static_cast<size_t>(place)].node);
  }
  const auto takes = [&](uint32_t node, const Edge& input) {
    return !input.control && computes(nodes[node].op);
  };
  const std::vector<bool> reached = walk_back(edges, conditions, takes);
  std::vector<uint32_t> seeds;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (reached[i] && nodes[i].op == "Const") seeds.push_back(i);
  }
  return seeds;
}

}  // namespace cryo
