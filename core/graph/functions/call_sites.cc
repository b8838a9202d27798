#include "graph/functions/call_sites.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "graph/functions/function_callers.h"

namespace cryo {
namespace {

using FunctionIndex = std::unordered_map<std::string_view, uint32_t>;

uint32_t find_function(const FunctionIndex& by_name, std::string_view name) {
  const auto found = by_name.find(name);
  return found == by_name.end() ? kNoNode : found->second;
}

void add_sites(const FunctionIndex& by_name, uint32_t owner, uint32_t index, const Node& node,
               CallSites& found) {
  CallSite site{owner, index, find_caller(node.op)};
  const auto called = site.caller != nullptr ? functions_of(node, *site.caller)
                                             : std::vector<std::string_view>{node.op};
  for (const std::string_view name : called) {
    if (find_function(by_name, name) != kNoNode)
      site.functions.push_back(find_function(by_name, name));
  }
  for (const std::string_view name : functions_named_by(node)) {
    const uint32_t function = find_function(by_name, name);
    if (function == kNoNode) continue;
    const auto& all = site.functions;
    if (std::find(all.begin(), all.end(), function) == all.end()) found.fixed[function] = true;
  }
  if (!site.functions.empty()) found.sites.push_back(std::move(site));
}

void add_sites(const FunctionIndex& by_name, uint32_t owner, const std::vector<Node>& nodes,
               CallSites& found) {
  for (uint32_t i = 0; i < nodes.size(); ++i) add_sites(by_name, owner, i, nodes[i], found);
}

void find_gradients(const Graph& graph, const FunctionIndex& by_name, CallSites& found) {
  for (const Gradient& gradient : graph.gradients()) {
    for (const std::string_view name : {gradient.of, gradient.function}) {
      if (find_function(by_name, name) != kNoNode) found.fixed[find_function(by_name, name)] = true;
    }
  }
}

void find_double_roles(CallSites& found) {
  std::map<uint32_t, bool> loops;
  for (const CallSite& site : found.sites) {
    for (const uint32_t function : site.functions) {
      const bool loop = is_loop_body(site, function);
      const auto known = loops.emplace(function, loop).first;
      if (known->second != loop) found.fixed[function] = true;
    }
  }
}

void find_reached(CallSites& found) {
  std::vector<std::vector<uint32_t>> callees(found.bodies.size());
  std::vector<uint32_t> queue;
  for (const CallSite& site : found.sites) {
    auto& to = site.owner == kMainGraph ? queue : callees[site.owner];
    to.insert(to.end(), site.functions.begin(), site.functions.end());
  }
  while (!queue.empty()) {
    const uint32_t function = queue.back();
    queue.pop_back();
    if (found.reached[function]) continue;
    found.reached[function] = true;
    queue.insert(queue.end(), callees[function].begin(), callees[function].end());
  }
}

}  // namespace

bool is_loop_body(const CallSite& site, uint32_t function) {
  return site.caller != nullptr && site.caller->loop() && site.functions.size() == 2 &&
         site.functions[1] == function;
}

Result<CallSites> find_call_sites(const Graph& graph) {
  const std::vector<Function>& functions = graph.functions();
  FunctionIndex by_name;
  for (uint32_t i = 0; i < functions.size(); ++i) by_name.emplace(functions[i].name, i);
  CallSites found;
  found.reached.resize(functions.size(), false);
  found.fixed.resize(functions.size(), false);
  for (const Function& function : graph.functions()) {
    TRY(body, resolve_body(function));
    found.bodies.push_back(std::move(body));
  }
  add_sites(by_name, kMainGraph, graph.nodes(), found);
  for (uint32_t i = 0; i < found.bodies.size(); ++i)
    add_sites(by_name, i, found.bodies[i].nodes, found);
  find_gradients(graph, by_name, found);
  find_double_roles(found);
  find_reached(found);
  return found;
}

}  // namespace cryo
