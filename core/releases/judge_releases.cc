#include "releases/judge_releases.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/functions/functions_needed.h"
#include "graph/tensor_info.h"
#include "releases/damage.h"
#include "releases/node_faults.h"
#include "validate/graph/device.h"

namespace cryo {
namespace {

struct Library {
  std::unordered_map<std::string_view, OpDef> signatures = {};
  std::unordered_map<std::string_view, const Function*> bodies = {};

  bool has(std::string_view name) const { return signatures.contains(name); }
  const OpDef* signature(std::string_view name) const {
    const auto found = signatures.find(name);
    return found == signatures.end() ? nullptr : &found->second;
  }
};

// A graph as all releases see it.
struct JudgedGraph {
  const Graph& graph;
  const OpHistories& histories;
  const OpDowngrades downgrades;
  const Library library;
};

// A release, and what stops it.
struct JudgedRelease {
  size_t place;
  const Release& release;
  Blockers blockers;
  std::set<std::pair<std::string_view, std::string>> without_fix = {};  // op, attribute

  const OpDef* op(const OpHistory* history) const {
    return history == nullptr ? nullptr : history->at(place);
  }
};

using Releases = std::span<JudgedRelease>;

Library library_of(const Graph& graph) {
  Library library;
  for (const Function& function : graph.functions()) {
    library.signatures.emplace(function.name, read_op_def(signature_of(function)));
    library.bodies.emplace(function.name, &function);
  }
  return library;
}

// Checks what is no node's.
void check_whole(const JudgedGraph& judged, JudgedRelease& target) {
  const Graph& graph = judged.graph;
  const int version = target.release.graph_version;
  const auto refuse = [&](std::string why) { target.blockers.add({.why = std::move(why)}); };
  if (graph.producer() < 0) refuse("the graph's producer is negative");
  if (graph.min_consumer() > version) {
    refuse(
        cat("the graph needs graph version ", graph.min_consumer(), ", the release has ", version));
  }
  for (const int bad : graph.bad_consumers()) {
    if (bad == version) refuse(cat("the graph refuses graph version ", bad));
  }
  for (const auto& each : judged.library.signatures) {
    if (target.op(judged.histories.find(each.first))) {
      refuse(cat("function ", each.first, " has the name of an op"));
    }
  }
}

void check_device(const Node& node, Releases targets) {
  if (is_own_cpu(device_of(node))) return;
  for (JudgedRelease& each : targets) each.blockers.add(node, other_device());
}

// Returns the shape that the graph declares for an input; unknown if it declares none.
Shape declared_input(const Graph& graph, uint32_t index, size_t place) {
  const auto inputs = graph.index().edges().inputs(index);
  if (place >= inputs.size() || inputs[place].node == kNoNode) return {.unknown_rank = true};
  return output_shape(graph.nodes()[inputs[place].node], inputs[place].port);
}

// `last`: the name of a release of TensorFlow 1.
void refuse_until(std::string_view last, const JudgedGraph& judged, const Node& node,
                  const std::string& why, Releases targets) {
  const auto& releases = judged.histories.releases();
  const auto end = std::find_if(releases.begin(), releases.end(),
                                [&](const Release& each) { return each.name == last; });
  const auto place = static_cast<size_t>(end - releases.begin());
  const OpHistory* history = judged.histories.find(node.op);
  for (JudgedRelease& each : targets) {
    if (each.place <= place && each.op(history) != nullptr) each.blockers.add(node, {.why = why});
  }
}

// Reports a scalar sample rate: the shape function of 1.2 and 1.3 takes a vector.
void check_mfcc(const JudgedGraph& judged, uint32_t index, Releases targets) {
  const std::vector<Node>& nodes = judged.graph.nodes();
  const auto inputs = judged.graph.index().edges().inputs(index);
  if (inputs.size() < 2 || inputs[1].node == kNoNode) return;
  const bool is_decoded = nodes[inputs[1].node].op == "DecodeWav" && inputs[1].port == 1;
  const Shape rate = declared_input(judged.graph, index, 1);
  if (!is_decoded && (rate.unknown_rank || !rate.dims.empty())) return;
  refuse_until("1.3", judged, nodes[index], "its sample rate is a scalar", targets);
}

// Reports boundaries with one axis: the shape function until 1.12 takes two.
void check_bucketize(const JudgedGraph& judged, uint32_t index, Releases targets) {
  const Node& node = judged.graph.nodes()[index];
  const int64_t features = int_attr(node, "num_features").value_or(0);
  if (features < 0 || features > static_cast<int64_t>(node.input_count)) return;
  const Shape boundaries = declared_input(judged.graph, index, static_cast<size_t>(features));
  if (boundaries.unknown_rank || boundaries.dims.size() != 1) return;
  refuse_until("1.12", judged, node, "its bucket boundaries have one axis", targets);
}

void check_name(const Node& node, const Library& library, JudgedRelease& target) {
  if (target.release.refuses_angles && node.name.find('>') != std::string_view::npos) {
    target.blockers.add(node, {.why = "the node's name has '>'"});
  }
  if (!target.release.refuses_uses_of_named || library.has(node.name)) return;
  for (const std::string_view input : node.inputs()) {
    const std::string_view from = input.substr(0, input.find(':'));
    if (!input.starts_with('^') && library.has(from)) {
      target.blockers.add(node, {.why = "an input is a node named as a function"});
      return;
    }
  }
}

// Adds the option that gives the release another form of the node, if one is known.
NodeFault with_fix(const JudgedGraph& judged, JudgedRelease& target, uint32_t index,
                   NodeFault fault) {
  if (!fault.fix.empty()) return fault;
  const std::pair cause(judged.graph.nodes()[index].op, std::string(fault.attr));
  if (target.without_fix.contains(cause)) return fault;
  if (judged.downgrades.has(index, target.place)) {
    fault.fix = kFixByForm;
  } else {
    target.without_fix.insert(cause);
  }
  return fault;
}

// Adds those of a node's faults that the release has.
void add_faults(const JudgedGraph& judged, uint32_t index, const std::vector<NodeFault>& faults,
                JudgedRelease& target) {
  for (const NodeFault& fault : faults) {
    if (fault.rule != nullptr && !(target.release.*fault.rule)) continue;
    if (fault.unknown_to != DType::kInvalid && target.release.knows(fault.unknown_to)) continue;
    const bool is_unknown = fault.rule == &Release::refuses_unknown_attrs;
    target.blockers.add(judged.graph.nodes()[index],
                        is_unknown ? with_fix(judged, target, index, fault) : fault);
  }
}

// Checks a node in releases that have one definition of its op. `op`: null if none do.
void check_span(const JudgedGraph& judged, uint32_t index, const OpDef* op,
                const OpHistory* history, Releases targets) {
  const Node& node = judged.graph.nodes()[index];
  const OpDef* known = op ? op : judged.library.signature(node.op);
  NodeAttrs attrs;
  std::vector<NodeFault> faults;
  if (known) {
    attrs.bind(node, *known);
    faults =
        node_faults(node, attrs, judged.histories.latest().find(node.op), judged.graph.producer());
  }
  for (JudgedRelease& target : targets) {
    check_name(node, judged.library, target);
    if (!known) {
      target.blockers.add(node, with_fix(judged, target, index, unknown_op(node.op)));
      continue;
    }
    if (!op && target.release.refuses_function_nodes && !judged.library.has(node.name)) {
      target.blockers.add(node, {.why = "the op is a function"});
    }
    add_faults(judged, index, faults, target);
    const auto kernel =
        op ? kernel_fault(node, attrs, history->kernels_at(target.place)) : std::nullopt;
    if (kernel) target.blockers.add(node, *kernel);
  }
}

void check_node(const JudgedGraph& judged, uint32_t index, Releases targets) {
  const Node& node = judged.graph.nodes()[index];
  const OpHistory* history = judged.histories.find(node.op);
  check_device(node, targets);
  if (node.op == "Mfcc") check_mfcc(judged, index, targets);
  if (node.op == "BoostedTreesBucketize") check_bucketize(judged, index, targets);
  for (size_t start = 0; start < targets.size();) {
    const OpDef* op = targets[start].op(history);
    size_t end = start + 1;
    while (end < targets.size() && targets[end].op(history) == op) ++end;
    check_span(judged, index, op, history, targets.subspan(start, end - start));
    start = end;
  }
}

// Adds the functions that a node calls in a way that makes the importer check their bodies.
void add_called(const Node& node, const Library& library, std::vector<std::string_view>& called) {
  const std::string_view name = is_call(node.op) ? called_function(node) : node.op;
  if (library.has(name)) called.push_back(name);
}

// Returns the functions whose bodies an importer checks.
std::unordered_set<std::string_view> imported_functions(const JudgedGraph& judged) {
  std::vector<std::string_view> waiting;
  std::unordered_set<std::string_view> found;
  for (const Node& node : judged.graph.nodes()) add_called(node, judged.library, waiting);
  while (!waiting.empty()) {
    const std::string_view name = waiting.back();
    waiting.pop_back();
    if (!found.insert(name).second) continue;
    const auto body = body_nodes(*judged.library.bodies.at(name));
    if (!body) continue;
    for (const Node& node : *body) add_called(node, judged.library, waiting);
  }
  return found;
}

// No importer refuses an unknown attribute of a body's node.
std::vector<NodeFault> body_faults(const NodeAttrs& attrs, bool refuses_unknown) {
  std::vector<NodeFault> faults;
  const OpDef& op = attrs.op();
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    if (op.attrs[i].default_value || attrs.given(static_cast<int>(i))) continue;
    faults.push_back(missing_attr(op.attrs[i].name));
  }
  for (const std::string_view attr : attrs.unknown()) {
    if (refuses_unknown) faults.push_back(unknown_attr(attr));
  }
  return faults;
}

// Checks the op, its attributes and its kernel, as releases do when they import or run the
// function. Types that the caller gives are not known here: kernels for any of them count.
void check_body_node(const JudgedGraph& judged, const Node& node, std::string_view function,
                     bool is_imported, Releases targets) {
  const OpHistory* history = judged.histories.find(node.op);
  for (JudgedRelease& target : targets) {
    const OpDef* op = target.op(history);
    const OpDef* known = op ? op : judged.library.signature(node.op);
    NodeAttrs attrs;
    if (known) attrs.bind(node, *known);
    const bool is_loaded = is_imported && target.release.checks_bodies;
    for (NodeFault& fault : known ? body_faults(attrs, target.release.refuses_unknown_attrs)
                                  : std::vector{unknown_op(node.op)}) {
      fault.stops_loading = fault.stops_loading && is_loaded;
      fault.fix.clear();
      target.blockers.add(node, fault, function);
    }
    const auto kernel =
        op ? kernel_fault(node, attrs, history->kernels_at(target.place)) : python_fault(node);
    if (kernel) target.blockers.add(node, *kernel, function);
  }
}

void check_bodies(const JudgedGraph& judged, Releases targets) {
  if (judged.library.bodies.empty()) return;
  const std::unordered_set<std::string_view> imported = imported_functions(judged);
  for (const Function& function : functions_needed(judged.graph.nodes(), judged.graph)) {
    const auto body = body_nodes(function);
    if (!body) continue;
    for (const Node& node : *body) {
      check_body_node(judged, node, function.name, imported.contains(function.name), targets);
    }
  }
}

void add_damage(const Damage& damage, size_t latest, Releases targets) {
  for (JudgedRelease& each : targets) {
    if (is_refused(damage, each.release, each.place == latest)) {
      each.blockers.add(damage.blocker, damage.code);
    }
  }
}

}  // namespace

std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const std::vector<size_t>& places,
                                          const GraphVerdict& found,
                                          const DowngradeContext& context) {
  const JudgedGraph judged{graph, histories, {graph, histories, context}, library_of(graph)};
  std::vector<JudgedRelease> targets;
  for (const size_t place : places) {
    targets.push_back({place, histories.releases()[place], Blockers(graph.nodes())});
  }
  for (JudgedRelease& each : targets) check_whole(judged, each);
  check_bodies(judged, targets);
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) check_node(judged, i, targets);
  for (const Damage& each : damage_of(graph, found)) {
    add_damage(each, histories.releases().size() - 1, targets);
  }
  std::vector<TargetVerdict> verdicts;
  for (JudgedRelease& each : targets) {
    verdicts.push_back({.name = each.release.target(),
                        .blockers = each.blockers.take(),
                        .unfixed = each.blockers.take_unfixed()});
  }
  return verdicts;
}

std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const GraphVerdict& found,
                                          const DowngradeContext& context) {
  std::vector<size_t> places(histories.releases().size());
  std::iota(places.begin(), places.end(), size_t{0});
  return judge_releases(graph, histories, places, found, context);
}

}  // namespace cryo
