#include "graph/functions/call_sites.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "graph/functions/function_callers.h"

namespace cryo {
namespace {

class SiteFinder {
 public:
  explicit SiteFinder(const Graph& graph) : graph_(graph) {
    const std::vector<Function>& functions = graph.functions();
    for (uint32_t i = 0; i < functions.size(); ++i) by_name_.emplace(functions[i].name, i);
    found_.reached.resize(functions.size(), false);
    found_.fixed.resize(functions.size(), false);
  }

  Result<CallSites> run();

 private:
  void visit(uint32_t owner, const std::vector<Node>& nodes);
  void visit(uint32_t owner, uint32_t index, const Node& node);
  void find_gradients();
  void find_double_roles();
  void find_reached();
  uint32_t find(std::string_view name) const;

  const Graph& graph_;
  std::unordered_map<std::string_view, uint32_t> by_name_;
  CallSites found_;
};

uint32_t SiteFinder::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNoNode : found->second;
}

void SiteFinder::visit(uint32_t owner, uint32_t index, const Node& node) {
  CallSite site{owner, index, find_caller(node.op)};
  const auto called = site.caller != nullptr ? functions_of(node, *site.caller)
                                             : std::vector<std::string_view>{node.op};
  for (const std::string_view name : called) {
    if (find(name) != kNoNode) site.functions.push_back(find(name));
  }
  for (const std::string_view name : functions_named_by(node)) {
    const uint32_t function = find(name);
    if (function == kNoNode) continue;
    const auto& all = site.functions;
    if (std::find(all.begin(), all.end(), function) == all.end()) found_.fixed[function] = true;
  }
  if (!site.functions.empty()) found_.sites.push_back(std::move(site));
}

void SiteFinder::visit(uint32_t owner, const std::vector<Node>& nodes) {
  for (uint32_t i = 0; i < nodes.size(); ++i) visit(owner, i, nodes[i]);
}

void SiteFinder::find_gradients() {
  for (const Gradient& gradient : graph_.gradients()) {
    for (const std::string_view name : {gradient.of, gradient.function}) {
      if (find(name) != kNoNode) found_.fixed[find(name)] = true;
    }
  }
}

void SiteFinder::find_double_roles() {
  std::map<uint32_t, bool> loops;
  for (const CallSite& site : found_.sites) {
    for (const uint32_t function : site.functions) {
      const bool loop = is_loop_body(site, function);
      const auto known = loops.emplace(function, loop).first;
      if (known->second != loop) found_.fixed[function] = true;
    }
  }
}

void SiteFinder::find_reached() {
  std::vector<std::vector<uint32_t>> callees(found_.bodies.size());
  std::vector<uint32_t> queue;
  for (const CallSite& site : found_.sites) {
    auto& to = site.owner == kMainGraph ? queue : callees[site.owner];
    to.insert(to.end(), site.functions.begin(), site.functions.end());
  }
  while (!queue.empty()) {
    const uint32_t function = queue.back();
    queue.pop_back();
    if (found_.reached[function]) continue;
    found_.reached[function] = true;
    queue.insert(queue.end(), callees[function].begin(), callees[function].end());
  }
}

Result<CallSites> SiteFinder::run() {
  for (const Function& function : graph_.functions()) {
    TRY(body, resolve_body(function));
    found_.bodies.push_back(std::move(body));
  }
  visit(kMainGraph, graph_.nodes());
  for (uint32_t i = 0; i < found_.bodies.size(); ++i) visit(i, found_.bodies[i].nodes);
  find_gradients();
  find_double_roles();
  find_reached();
  return std::move(found_);
}

}  // namespace

bool is_loop_body(const CallSite& site, uint32_t function) {
  return site.caller != nullptr && site.caller->loop() && site.functions.size() == 2 &&
         site.functions[1] == function;
}

Result<CallSites> find_call_sites(const Graph& graph) { return SiteFinder(graph).run(); }

}  // namespace cryo
