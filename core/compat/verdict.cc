#include "compat/verdict.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "compat/damage.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/functions/functions_needed.h"
#include "graph/tensor_info.h"
#include "validate/graph/device.h"

namespace cryo {
namespace {

using Functions = std::unordered_map<std::string_view, OpDef>;

class Judgment {
 public:
  Judgment(const Graph& graph, const OpHistories& histories, const std::vector<size_t>& places,
           const FormContext& context)
      : graph_(graph),
        histories_(histories),
        places_(places),
        forms_(graph, histories, context),
        all_(places.size(), Blockers(graph.nodes())) {
    for (const Function& function : graph.functions()) {
      functions_.emplace(function.name, read_op_def(signature_of(function)));
      bodies_.emplace(function.name, &function);
    }
  }

  std::vector<TargetVerdict> run(const std::vector<Damage>& damage) {
    for (size_t i = 0; i < all_.size(); ++i) check_graph_in(i);
    check_bodies();
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i) check(i);
    for (const Damage& each : damage) add(each);
    std::vector<TargetVerdict> verdicts;
    for (size_t i = 0; i < all_.size(); ++i) {
      verdicts.push_back({.name = release(i).target(),
                          .blockers = all_[i].take(),
                          .unfixed = all_[i].take_unfixed()});
    }
    return verdicts;
  }

 private:
  const Release& release(size_t i) const { return histories_.releases()[places_[i]]; }
  // Returns null if the release does not have the op.
  const OpDef* op_at(const OpHistory* history, size_t i) const {
    return history == nullptr ? nullptr : history->at(places_[i]);
  }

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
      if (op_at(history, place)) {
        refuse(cat("function ", name, " has the name of an op"));
      }
    }
  }

  void check(uint32_t index) {
    const Node& node = graph_.nodes()[index];
    const OpHistory* history = histories_.find(node.op);
    const auto function = functions_.find(node.op);
    const OpDef* signature = function == functions_.end() ? nullptr : &function->second;
    check_device(node);
    if (node.op == "Mfcc") check_mfcc(index);
    if (node.op == "BoostedTreesBucketize") check_bucketize(index);
    for (size_t start = 0; start < all_.size();) {
      const OpDef* op = op_at(history, start);
      size_t end = start + 1;
      while (end < all_.size() && op_at(history, end) == op) ++end;
      check_span(index, op, op ? op : signature, history, start, end);
      start = end;
    }
  }

  void check_device(const Node& node) {
    const std::string_view device = device_of(node);
    if (is_own_cpu(device)) return;
    for (size_t i = 0; i < all_.size(); ++i) add(i, node, other_device());
  }

  // Returns the shape that the graph declares for an input; unknown if it declares none.
  Shape declared_input(uint32_t index, size_t place) const {
    const auto inputs = graph_.index().edges().inputs(index);
    if (place >= inputs.size() || inputs[place].node == kNoNode) return {.unknown_rank = true};
    return output_shape(graph_.nodes()[inputs[place].node], inputs[place].port);
  }

  // Reports a scalar sample rate: the shape function of 1.2 and 1.3 takes a vector.
  void check_mfcc(uint32_t index) {
    const auto inputs = graph_.index().edges().inputs(index);
    if (inputs.size() < 2 || inputs[1].node == kNoNode) return;
    const bool is_decoded = graph_.nodes()[inputs[1].node].op == "DecodeWav" && inputs[1].port == 1;
    const Shape rate = declared_input(index, 1);
    if (!is_decoded && (rate.unknown_rank || !rate.dims.empty())) return;
    refuse_until("1.3", index, "its sample rate is a scalar");
  }

  // Reports boundaries with one axis: the shape function until 1.12 takes two.
  void check_bucketize(uint32_t index) {
    const int64_t features = int_attr(graph_.nodes()[index], "num_features").value_or(0);
    if (features < 0 || features > static_cast<int64_t>(graph_.nodes()[index].input_count)) return;
    const Shape boundaries = declared_input(index, static_cast<size_t>(features));
    if (boundaries.unknown_rank || boundaries.dims.size() != 1) return;
    refuse_until("1.12", index, "its bucket boundaries have one axis");
  }

  // `last`: the name of a release of TensorFlow 1.
  void refuse_until(std::string_view last, uint32_t index, const std::string& why) {
    const auto& releases = histories_.releases();
    const auto end = std::find_if(releases.begin(), releases.end(),
                                  [&](const Release& each) { return each.name == last; });
    const OpHistory* history = histories_.find(graph_.nodes()[index].op);
    for (size_t i = 0; i < all_.size(); ++i) {
      const bool is_older = releases.begin() + static_cast<std::ptrdiff_t>(places_[i]) <= end;
      if (is_older && op_at(history, i) != nullptr) add(i, graph_.nodes()[index], {.why = why});
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
        const bool is_unknown = fault.rule == &Release::refuses_unknown_attrs;
        add(i, node, is_unknown ? with_fix(i, index, fault) : fault);
      }
      if (op && !has_kernel(attrs_, history->kernels_at(places_[i]))) {
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
    if (forms_.has(index, places_[place])) {
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
    all_[place].add(node, fault, function);
  }

  void add(const Damage& damage) {
    for (size_t i = 0; i < all_.size(); ++i) {
      const bool latest = places_[i] + 1 == histories_.releases().size();
      if (is_refused(damage, release(i), latest)) all_[i].add(damage.blocker, damage.code);
    }
  }

  // Adds the functions that a node calls in a way that makes the importer check their bodies.
  void add_called(const Node& node, std::vector<std::string_view>& called) const {
    const std::string_view name = is_call(node.op) ? called_function(node) : node.op;
    if (functions_.contains(name)) called.push_back(name);
  }

  // Returns the functions whose bodies an importer checks.
  std::unordered_set<std::string_view> imported_functions() const {
    std::vector<std::string_view> waiting;
    std::unordered_set<std::string_view> found;
    for (const Node& node : graph_.nodes()) add_called(node, waiting);
    while (!waiting.empty()) {
      const std::string_view name = waiting.back();
      waiting.pop_back();
      if (!found.insert(name).second) continue;
      const auto body = body_nodes(*bodies_.at(name));
      if (!body) continue;
      for (const Node& node : *body) add_called(node, waiting);
    }
    return found;
  }

  void check_bodies() {
    if (functions_.empty()) return;
    const std::unordered_set<std::string_view> imported = imported_functions();
    for (const Function& function : functions_needed(graph_.nodes(), graph_)) {
      const auto body = body_nodes(function);
      if (!body) continue;
      for (const Node& node : *body) {
        check_body_node(node, function.name, imported.contains(function.name));
      }
    }
  }

  // Checks the op and its attributes, as releases do when they import or run the function.
  void check_body_node(const Node& node, std::string_view function, bool is_imported) {
    const OpHistory* history = histories_.find(node.op);
    const auto signature = functions_.find(node.op);
    for (size_t i = 0; i < all_.size(); ++i) {
      const OpDef* op = op_at(history, i);
      if (!op && signature != functions_.end()) op = &signature->second;
      const bool is_loaded = is_imported && release(i).checks_bodies;
      for (NodeFault& fault : body_faults(node, op, release(i).refuses_unknown_attrs)) {
        fault.stops_loading = fault.stops_loading && is_loaded;
        fault.fix.clear();
        add(i, node, fault, function);
      }
    }
  }

  // No importer refuses an unknown attribute of a body's node.
  std::vector<NodeFault> body_faults(const Node& node, const OpDef* op, bool refuses_unknown) {
    if (op == nullptr) return {unknown_op(node.op)};
    std::vector<NodeFault> faults;
    attrs_.bind(node, *op);
    for (size_t i = 0; i < op->attrs.size(); ++i) {
      if (op->attrs[i].default_value || attrs_.given(static_cast<int>(i))) continue;
      faults.push_back(missing_attr(op->attrs[i].name));
    }
    for (const std::string_view attr : attrs_.unknown()) {
      if (refuses_unknown) faults.push_back(unknown_attr(attr));
    }
    return faults;
  }

  const Graph& graph_;
  const OpHistories& histories_;
  const std::vector<size_t>& places_;  // of the releases that are judged
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
                                          const std::vector<size_t>& places,
                                          const GraphVerdict& found, const FormContext& context) {
  return Judgment(graph, histories, places, context).run(damage_of(graph, found));
}

std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const GraphVerdict& found, const FormContext& context) {
  std::vector<size_t> places(histories.releases().size());
  std::iota(places.begin(), places.end(), size_t{0});
  return judge_releases(graph, histories, places, found, context);
}

}  // namespace cryo
