#include "graph/functions/functions_needed.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace cryo {

std::vector<Function> functions_needed(const std::vector<Node>& nodes, const Graph& graph) {
  const std::vector<Function>& functions = graph.functions();
  if (functions.empty()) return {};
  std::unordered_map<std::string_view, size_t> index;
  for (size_t i = 0; i < functions.size(); ++i) index.emplace(functions[i].name, i);
  std::unordered_map<std::string_view, std::string_view> gradients;
  for (const Gradient& each : graph.gradients()) gradients.emplace(each.of, each.function);
  std::unordered_map<std::string_view, std::string_view> registered;
  for (const Gradient& each : graph.registered_gradients()) registered[each.of] = each.function;
  std::vector<bool> needed(functions.size(), false);
  std::vector<size_t> queue;
  const auto need = [&](std::string_view name) {
    const auto found = index.find(name);
    if (found == index.end() || needed[found->second]) return;
    needed[found->second] = true;
    queue.push_back(found->second);
  };
  const auto need_all = [&](const std::vector<Node>& of) {
    for (const Node& node : of) {
      for (const std::string_view name : functions_named_by(node)) need(name);
    }
  };
  const auto need_registered = [&](const std::vector<Node>& of) {
    if (registered.empty()) return;
    for (const Node& node : of) {
      const auto type = string_attr(node, "_gradient_op_type");
      const auto found = type ? registered.find(*type) : registered.end();
      if (found != registered.end()) need(found->second);
    }
  };
  need_all(nodes);
  while (!queue.empty()) {
    const Function& function = functions[queue.back()];
    queue.pop_back();
    if (const auto body = body_nodes(function)) {
      need_all(*body);
      need_registered(*body);
    }
    if (const auto found = gradients.find(function.name); found != gradients.end()) {
      need(found->second);
    }
  }
  std::vector<Function> kept;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (needed[i]) kept.push_back(functions[i]);
  }
  return kept;
}

bool is_recursive(const Function& function, const Graph& graph) {
  const Result<std::vector<Node>> body = body_nodes(function);
  if (!body) return true;
  const std::vector<Function> needed = functions_needed(*body, graph);
  return std::any_of(needed.begin(), needed.end(),
                     [&](const Function& each) { return each.name == function.name; });
}

}  // namespace cryo
