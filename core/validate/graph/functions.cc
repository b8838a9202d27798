#include "validate/graph/functions.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "base/utf8.h"
#include "graph/functions/function_callers.h"
#include "graph/roles.h"
#include "validate/graph/calls.h"
#include "validate/graph/shapes.h"

namespace cryo {
namespace {

class FunctionWalk {
 public:
  FunctionWalk(KnownOps& ops, const Payloads& payloads, Findings& findings)
      : ops_(ops),
        payloads_(payloads),
        findings_(findings),
        checked_(ops.library().all().size(), false) {}

  BodyGraphs walk(const std::vector<Node>& main_nodes) {
    const Reporter main(findings_);
    for (const Node& node : main_nodes) visit(node, AttrScope(), main, kMain);
    while (!called_.empty()) check_next(called_, Severity::kError);
    check_recursion();
    while (!named_.empty()) check_next(named_, Severity::kWarning);
    for (const LibraryFunction& function : ops_.library().all()) check_unnamed(function);
    while (!named_.empty()) check_next(named_, Severity::kWarning);
    return std::move(bodies_);
  }

 private:
  static constexpr std::string_view kMain = {};

  struct Task {
    const LibraryFunction* function;
    AttrScope scope;
  };

  // Calls and other mentions of functions in one node. `caller`: the function whose body it is in.
  void visit(const Node& node, const AttrScope& scope, const Reporter& reporter,
             std::string_view caller) {
    const KnownOp& known = ops_.find(node.op);
    if (!known.names_functions) return;  // as most
    const auto call = call_of(node, known, &scope);
    if (!call && caller.empty()) check_function_attr(node, reporter);
    if (call) visit_call(node, *call, scope, reporter, caller);
    check_branches(node, scope, ops_, reporter);
    if (!known.def || !known.names_functions) return;
    for (const std::string_view name : functions_named_by(node)) {
      if (name == node.op || name.empty() || (call && name == call->function)) continue;
      need(name, node, reporter);
    }
  }

  // The function of a call is unknown if it is a placeholder.
  static void check_function_attr(const Node& node, const Reporter& reporter) {
    const auto f = is_call(node.op) ? find_attr(node, "f") : std::nullopt;
    const bool stands_in = f && AttrValue(*f).kind() == AttrKind::kPlaceholder;
    if (stands_in) stays_placeholder({.node = node.name, .attr = "f"}, reporter);
  }

  void visit_call(const Node& node, const FunctionCall& call, const AttrScope& scope,
                  const Reporter& reporter, std::string_view caller) {
    const LibraryFunction* target = ops_.library().find(call.function);
    if (!target) {
      missing(call.function, node, reporter);
      return;
    }
    if (!call.followed) {
      named_.push_back({target, AttrScope(call.attrs, &target->signature)});
      return;
    }
    check_call(node, call, *target, scope, ops_, reporter);
    callees_[caller].insert(call.function);
    called_.push_back({target, AttrScope(call.attrs, &target->signature)});
  }

  void need(std::string_view name, const Node& node, const Reporter& reporter) {
    const LibraryFunction* target = ops_.library().find(name);
    if (!target) missing(name, node, reporter);
    if (target && !needs_attrs(*target))
      named_.push_back({target, AttrScope({}, &target->signature)});
  }

  // Returns true if a function can only be checked with the attributes of a caller.
  static bool needs_attrs(const LibraryFunction& function) {
    for (const AttrDef& attr : function.signature.attrs) {
      if (!attr.default_value) return true;
    }
    return false;
  }

  void missing(std::string_view name, const Node& node, const Reporter& reporter) {
    reporter.warning("missing-function", {.node = node.name}, "Failed to find function ",
                     quoted(name), " in function library");
  }

  void check_unnamed(const LibraryFunction& function) {
    if (!needs_attrs(function)) named_.push_back({&function, AttrScope({}, &function.signature)});
  }

  // Checks each function once: TensorFlow, too, keeps the first instance of a function.
  void check_next(std::list<Task>& tasks, Severity severity) {
    const Task task = std::move(tasks.front());
    tasks.pop_front();
    const auto place = static_cast<size_t>(task.function - ops_.library().all().data());
    if (checked_[place]) return;
    checked_[place] = true;
    const std::string_view name = task.function->function->name;
    const Reporter reporter(findings_, name, severity);
    auto body = check_body(*task.function, task.scope, ops_, payloads_, reporter);
    if (body) bodies_.emplace(task.function, std::move(*body));
    const auto nodes = body_nodes(*task.function->function);
    if (!nodes) return;
    std::list<Task> calls;
    std::swap(called_, calls);
    for (const Node& node : *nodes) visit(node, task.scope, reporter, name);
    // A function called by one that is named but not called is itself named but not called.
    std::list<Task>& to = severity == Severity::kError ? calls : named_;
    to.splice(to.end(), called_);
    std::swap(called_, calls);
  }

  // Removes functions whose callees are all removed; those of a cycle, and their callers, remain.
  void check_recursion() {
    std::map<std::string_view, size_t> open;
    std::map<std::string_view, std::vector<std::string_view>> callers;
    for (const auto& entry : callees_) {
      for (const std::string_view callee : entry.second) {
        ++open[entry.first];
        callers[callee].push_back(entry.first);
      }
    }
    std::vector<std::string_view> done;
    for (const auto& entry : callers) {
      if (open.count(entry.first) == 0) done.push_back(entry.first);
    }
    while (!done.empty()) {
      const std::string_view callee = done.back();
      done.pop_back();
      for (const std::string_view caller : callers[callee]) {
        if (--open[caller] == 0) done.push_back(caller);
      }
    }
    report_circles(open);
  }

  // From any function that is left a callee is left too, so going on leads into a circle.
  void report_circles(const std::map<std::string_view, size_t>& open) {
    std::set<std::string_view> seen;
    for (const auto& entry : open) {
      std::vector<std::string_view> path;
      std::string_view at = entry.first;
      while (open.at(at) > 0 && seen.insert(at).second) {
        path.push_back(at);
        at = open_callee(at, open);
      }
      path.erase(path.begin(), std::find(path.begin(), path.end(), at));
      if (!path.empty()) report_circle(path);
    }
  }

  std::string_view open_callee(std::string_view caller,
                               const std::map<std::string_view, size_t>& open) const {
    for (const std::string_view callee : callees_.at(caller)) {
      const auto found = open.find(callee);
      if (found != open.end() && found->second > 0) return callee;
    }
    return caller;
  }

  void report_circle(std::vector<std::string_view> path) {
    path.push_back(path.front());
    std::vector<std::string> names;
    for (const std::string_view name : path) names.push_back(printable(name, 100));
    bodies_.clear();
    Reporter(findings_, path.front())
        .error("function-recursion", {}, "Function ", quoted(path.front()),
               " calls itself, which crashes TensorFlow's importer: ", join(names, " -> ", 12));
  }

  KnownOps& ops_;
  const Payloads& payloads_;
  Findings& findings_;
  std::list<Task> called_;     // by calls that import follows
  std::list<Task> named_;      // otherwise
  std::vector<bool> checked_;  // by function of the library
  std::map<std::string_view, std::set<std::string_view>> callees_;
  BodyGraphs bodies_;
};

}  // namespace

BodyGraphs check_functions(const std::vector<Node>& nodes, KnownOps& ops, const Payloads& payloads,
                           Findings& findings) {
  return FunctionWalk(ops, payloads, findings).walk(nodes);
}

}  // namespace cryo
