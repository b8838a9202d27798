#include "compat/verdict.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "compat/damage.h"
#include "compat/older_forms.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"

namespace cryo {
namespace {

constexpr std::string_view kFreezeWith = "freeze with ";

using Functions = std::unordered_map<std::string_view, OpDef>;

class Judgment {
 public:
  Judgment(const Graph& graph, const OpHistories& histories, const TensorShapes& shapes)
      : graph_(graph),
        histories_(histories),
        forms_(graph, histories, shapes, no_outputs_),
        all_(histories.releases().size()) {
    for (const Function& function : graph.functions()) {
      functions_.emplace(function.name, read_op_def(signature_of(function)));
      bodies_.emplace(function.name, &function);
    }
  }

  std::vector<TargetVerdict> run(const std::vector<Damage>& damage) {
    for (size_t i = 0; i < all_.size(); ++i) check_graph_in(i);
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i) check(i);
    for (const Damage& each : damage) add(each);
    std::vector<TargetVerdict> verdicts;
    for (size_t i = 0; i < all_.size(); ++i) {
      verdicts.push_back({.name = release(i).target(), .blockers = all_[i].take()});
    }
    return verdicts;
  }

 private:
  const Release& release(size_t place) const { return histories_.releases()[place]; }

  // Checks what is no node's.
  void check_graph_in(size_t place) {
    const Release& here = release(place);
    const auto refuse = [&](std::string why) { all_[place].add({.why = std::move(why)}); };
    if (graph_.producer() < 0) refuse("the graph's producer is negative");
    if (graph_.min_consumer() > here.graph_version) {
      refuse(cat("the graph needs graph version ", graph_.min_consumer(), ", the release has ",
                 here.graph_version));
    }
    for (const int bad : graph_.bad_consumers()) {
      if (bad == here.graph_version) {
        refuse(cat("the graph refuses graph version ", bad));
      }
    }
    for (const auto& [name, signature] : functions_) {
      const OpHistory* history = histories_.find(name);
      if (history && history->at(place)) {
        refuse(cat("function ", name, " has the name of an op"));
      }
    }
    if (here.checks_bodies) check_bodies(place);
  }

  void check(uint32_t index) {
    const Node& node = graph_.nodes()[index];
    const OpHistory* history = histories_.find(node.op);
    const auto function = functions_.find(node.op);
    const OpDef* signature = function == functions_.end() ? nullptr : &function->second;
    for (size_t start = 0; start < all_.size();) {
      const OpDef* op = history ? history->at(start) : nullptr;
      size_t end = start + 1;
      while (end < all_.size() && (history ? history->at(end) : nullptr) == op) ++end;
      check_span(index, op, op ? op : signature, history, start, end);
      start = end;
    }
  }

  // Checks a node in releases that have one definition of its op. `op`: null if none do.
  void check_span(uint32_t index, const OpDef* op, const OpDef* known, const OpHistory* history,
                  size_t start, size_t end) {
    const Node& node = graph_.nodes()[index];
    std::vector<NodeFault> faults;
    if (known) {
      attrs_.bind(node, *known);
      faults = node_faults(node, attrs_, histories_.latest().find(node.op), graph_.producer());
    }
    for (size_t i = start; i < end; ++i) {
      check_name(node, i);
      if (!known) {
        add(i, node, with_fix(i, index, unknown_op(node.op)));
        continue;
      }
      if (!op && release(i).refuses_function_nodes && !functions_.contains(node.name)) {
        add(i, node, {.why = "the op is a function"});
      }
      for (const NodeFault& fault : faults) {
        if (fault.rule != nullptr && !(release(i).*fault.rule)) continue;
        if (fault.unknown_to != DType::kInvalid && release(i).knows(fault.unknown_to)) continue;
        add(i, node, with_fix(i, index, fault));
      }
      if (op && !has_kernel(attrs_, history->kernels_at(i))) {
        add(i, node,
            {.why = "no kernel on the CPU takes its types",
             .fix = fix_of_op(node.op),
             .stops_loading = false});
      }
    }
  }

  // Adds the option that gives the release another form of the node, if one is known.
  NodeFault with_fix(size_t place, uint32_t index, NodeFault fault) {
    if (!fault.fix.empty()) return fault;
    const std::tuple cause(place, graph_.nodes()[index].op, std::string(fault.attr));
    if (without_fix_.contains(cause)) return fault;
    if (forms_.of(index, place)) {
      fault.fix = kFixByForm;
    } else {
      without_fix_.insert(cause);
    }
    return fault;
  }

  void check_name(const Node& node, size_t place) {
    if (release(place).refuses_angles && node.name.find('>') != std::string_view::npos) {
      add(place, node, {.why = "the node's name has '>'"});
    }
    if (!release(place).refuses_uses_of_named || functions_.empty()) return;
    if (functions_.contains(node.name)) return;
    for (const std::string_view input : node.inputs()) {
      const std::string_view from = input.substr(0, input.find(':'));
      if (!input.starts_with('^') && functions_.contains(from)) {
        add(place, node, {.why = "an input is a node named as a function"});
        return;
      }
    }
  }

  // `function`: whose body has the node; empty: the main graph.
  void add(size_t place, const Node& node, const NodeFault& fault, std::string_view function = "") {
    all_[place].add(blocker_of(node, fault, function));
  }

  void add(const Damage& damage) {
    for (size_t i = 0; i < all_.size(); ++i) {
      const bool latest = i + 1 == all_.size();
      if (is_refused(damage, release(i), latest)) all_[i].add(damage.blocker, damage.code);
    }
  }

  // Adds the functions that a node calls in a way that makes the importer check their bodies.
  void add_called(const Node& node, std::vector<std::string_view>& called) const {
    const std::string_view name = is_call(node.op) ? called_function(node) : node.op;
    if (functions_.contains(name)) called.push_back(name);
  }

  // Checks the ops in bodies and their required attributes. No importer refuses others there.
  void check_bodies(size_t place) {
    std::vector<std::string_view> waiting;
    std::unordered_set<std::string_view> seen;
    for (const Node& node : graph_.nodes()) add_called(node, waiting);
    while (!waiting.empty()) {
      const std::string_view name = waiting.back();
      waiting.pop_back();
      if (!seen.insert(name).second) continue;
      const auto body = body_nodes(*bodies_.at(name));
      if (!body) continue;
      for (const Node& node : *body) {
        check_body_node(place, node, name);
        add_called(node, waiting);
      }
    }
  }

  void check_body_node(size_t place, const Node& node, std::string_view function) {
    const OpHistory* history = histories_.find(node.op);
    const OpDef* op = history ? history->at(place) : nullptr;
    const auto signature = functions_.find(node.op);
    if (!op && signature != functions_.end()) op = &signature->second;
    if (!op) {
      add(place, node, unknown_op(node.op), function);
      return;
    }
    for (const AttrDef& attr : op->attrs) {
      if (attr.default_value || find_attr(node, attr.name)) continue;
      add(place, node, missing_attr(attr.name), function);
    }
  }

  const Graph& graph_;
  const OpHistories& histories_;
  const std::vector<std::string> no_outputs_;
  OlderForms forms_;
  std::vector<Blockers> all_;
  std::set<std::tuple<size_t, std::string_view, std::string>> without_fix_;  // causes
  Functions functions_;
  std::unordered_map<std::string_view, const Function*> bodies_;
  NodeAttrs attrs_;
};

}  // namespace

std::string TargetVerdict::fix() const {
  std::set<std::string> fixes;
  for (const Blocker& each : blockers) {
    if (!each.fix.starts_with(kFreezeWith)) return "";
    fixes.insert(each.fix);
  }
  if (fixes.contains(kFixByForm)) {
    // --for does the same as these.
    for (const char* covered : {kFixByForm, kFixByStripping, kFixByLowering}) fixes.erase(covered);
    fixes.insert(cat(kFreezeWith, option("--for", name)));
  }
  std::string all;
  for (const std::string_view each : fixes) {
    all += all.empty() ? std::string(each) : cat(" and ", each.substr(kFreezeWith.size()));
  }
  return all;
}

bool TargetVerdict::loads() const {
  return std::none_of(blockers.begin(), blockers.end(),
                      [](const Blocker& each) { return each.stops_loading; });
}

std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const GraphVerdict& found, const TensorShapes& shapes) {
  return Judgment(graph, histories, shapes).run(damage_of(graph, found));
}

}  // namespace cryo
