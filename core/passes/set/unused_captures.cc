#include "passes/set/unused_captures.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "graph/functions/call_sites.h"
#include "graph/functions/function_editor.h"
#include "graph/node_editor.h"
#include "model/meta.h"

namespace cryo {
namespace {

using Places = std::vector<bool>;

class UnusedFinder {
 public:
  UnusedFinder(const Graph& graph, const CallSites& sites)
      : graph_(graph), sites_(sites), calls_of_(sites.bodies.size()) {
    for (const CallSite& site : sites.sites) {
      calls_[{site.owner, site.node}] = &site;
      for (const uint32_t function : site.functions) calls_of_[function].push_back(&site);
    }
  }

  // Returns for each function the arguments that it can do without.
  std::vector<Places> find(const tensorflow::MetaGraphDef& meta,
                           const std::vector<std::string>& named);

  const CallSite* call(uint32_t owner, uint32_t node) const {
    const auto found = calls_.find({owner, node});
    return found == calls_.end() ? nullptr : found->second;
  }

  // Returns true if a loop's body.
  bool is_body(uint32_t function) const { return bodies_[function]; }

 private:
  void start();
  void keep(uint32_t function, size_t place);
  void keep(const CallSite& site, size_t place);
  void keep_named(std::string_view tensor);
  void keep_counters(const CallSite& site);
  void keep_everywhere(uint32_t function, size_t place);
  std::span<const Edge> inputs_of(uint32_t owner, uint32_t node) const;
  void take_inputs(uint32_t owner, uint32_t node);
  void take(uint32_t owner, const Edge& edge);
  void take_returns(uint32_t function);

  const Graph& graph_;
  const CallSites& sites_;
  std::map<std::pair<uint32_t, uint32_t>, const CallSite*> calls_;
  std::vector<std::vector<const CallSite*>> calls_of_;  // of each function
  std::vector<Places> unused_;
  Places bodies_;
  std::vector<std::pair<uint32_t, size_t>> kept_;  // arguments whose calls are to be seen to
};

bool loops(const CallSite& site) { return site.caller != nullptr && site.caller->loop(); }

size_t first_argument(const CallSite& site) {
  return site.caller == nullptr ? 0 : site.caller->first;
}

size_t argument_count(const Node& node, const CallSite& site) {
  const size_t count = count_data_inputs(node);
  return count - std::min(count, first_argument(site));
}

void UnusedFinder::keep(uint32_t function, size_t place) {
  if (place >= unused_[function].size() || !unused_[function][place]) return;
  unused_[function][place] = false;
  kept_.emplace_back(function, place);
}

void UnusedFinder::keep(const CallSite& site, size_t place) {
  for (const uint32_t function : site.functions) keep(function, place);
}

// All are unused, until a use is found.
void UnusedFinder::start() {
  bodies_.assign(sites_.bodies.size(), false);
  for (size_t i = 0; i < sites_.bodies.size(); ++i) {
    const std::vector<ArgDef>& args = sites_.bodies[i].signature.inputs;
    const bool stays =
        sites_.fixed[i] || !sites_.reached[i] ||
        std::any_of(args.begin(), args.end(), [](const ArgDef& arg) { return arg.is_list(); });
    unused_.emplace_back(sites_.bodies[i].arg_count, !stays);
  }
  for (const CallSite& site : sites_.sites) {
    for (const uint32_t function : site.functions) {
      if (is_loop_body(site, function)) bodies_[function] = true;
    }
    const size_t count = argument_count(sites_.node_of(graph_, site), site);
    const bool fits = std::all_of(site.functions.begin(), site.functions.end(),
                                  [&](uint32_t each) { return unused_[each].size() == count; });
    for (const uint32_t function : site.functions) {
      if (!fits) unused_[function].assign(unused_[function].size(), false);
    }
  }
}

// A tensor's number must not change: earlier outputs stay, too.
void UnusedFinder::keep_named(std::string_view tensor) {
  const TensorName name = parse_tensor_name(tensor);
  const uint32_t node = graph_.index().names().find(name.node);
  const CallSite* site = node == kNoNode ? nullptr : call(kMainGraph, node);
  if (site == nullptr || !loops(*site)) return;
  for (size_t place = 0; place <= name.port; ++place) {
    keep(*site, place);
    if (place > graph_.nodes()[node].bytes.size()) break;  // a port that cannot be
  }
}

// TensorFlow's gradient looks for a loop's counter and its maximum in these places.
void UnusedFinder::keep_counters(const CallSite& site) {
  if (!loops(site)) return;
  for (const size_t place : {0U, 1U}) keep(site, place);
}

// Functions of one call lose the same arguments; and what a call passes on is needed.
void UnusedFinder::keep_everywhere(uint32_t function, size_t place) {
  for (const CallSite* site : calls_of_[function]) {
    keep(*site, place);
    const auto inputs = inputs_of(site->owner, site->node);
    const size_t input = first_argument(*site) + place;
    if (input < inputs.size() && !inputs[input].control) take(site->owner, inputs[input]);
  }
}

std::span<const Edge> UnusedFinder::inputs_of(uint32_t owner, uint32_t node) const {
  if (owner == kMainGraph) return graph_.index().edges().inputs(node);
  return sites_.bodies[owner].edges.inputs(node);
}

// An edge that is needed: from an argument, or from an output of a loop.
void UnusedFinder::take(uint32_t owner, const Edge& edge) {
  if (edge.node == kNoNode) return;
  if (owner != kMainGraph && edge.node < sites_.bodies[owner].arg_count) {
    keep(owner, edge.node);
    return;
  }
  const CallSite* site = edge.control ? nullptr : call(owner, edge.node);
  if (site != nullptr && loops(*site)) keep(*site, edge.port);
}

// Takes the inputs that are no arguments of a call.
void UnusedFinder::take_inputs(uint32_t owner, uint32_t node) {
  const CallSite* site = call(owner, node);
  const auto inputs = inputs_of(owner, node);
  const size_t first = site == nullptr ? inputs.size() : first_argument(*site);
  const size_t count = site == nullptr ? 0 : unused_[site->functions.front()].size();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool argument = !inputs[i].control && i >= first && i - first < count;
    if (!argument) take(owner, inputs[i]);
  }
}

void UnusedFinder::take_returns(uint32_t function) {
  const std::vector<Edge>& returns = sites_.bodies[function].returns;
  for (size_t i = 0; i < returns.size(); ++i) {
    const bool same = returns[i].node == i && !returns[i].control;
    if (is_body(function) && same) continue;
    if (is_body(function)) keep(function, i);
    take(function, returns[i]);
  }
}

std::vector<Places> UnusedFinder::find(const tensorflow::MetaGraphDef& meta,
                                       const std::vector<std::string>& named) {
  start();
  for (const std::string& name : named) keep_named(name);
  for (const auto& signature : meta.signature_def()) {
    for (const auto& output : signature.value().outputs()) keep_named(output.value().name());
  }
  for (const auto& collection : meta.collection_def()) {
    for (const std::string& name : collection.value().node_list().value()) keep_named(name);
  }
  for (const CallSite& site : sites_.sites) keep_counters(site);
  for (uint32_t f = 0; f < sites_.bodies.size(); ++f) {
    for (size_t place = 0; place < unused_[f].size(); ++place) {
      if (!unused_[f][place]) kept_.emplace_back(f, place);
    }
  }
  for (uint32_t i = 0; i < graph_.nodes().size(); ++i) take_inputs(kMainGraph, i);
  for (uint32_t f = 0; f < sites_.bodies.size(); ++f) {
    for (uint32_t i = 0; i < sites_.bodies[f].nodes.size(); ++i) take_inputs(f, i);
    take_returns(f);
  }
  while (!kept_.empty()) {
    const auto [function, place] = kept_.back();
    kept_.pop_back();
    keep_everywhere(function, place);
  }
  return std::move(unused_);
}

const Places& removed_from(const std::vector<Places>& unused, const CallSite& site) {
  return unused[site.functions.front()];
}

bool is_input_removed(const std::vector<Places>& unused, const CallSite* site, size_t input,
                      bool control) {
  if (site == nullptr || control) return false;
  const size_t first = first_argument(*site);
  const Places& places = removed_from(unused, *site);
  return input >= first && input - first < places.size() && places[input - first];
}

// "loop:5" -> "loop:4", in a body "loop:output:5" -> "loop:output:4".
std::string text_now(const UnusedFinder& finder, const std::vector<Places>& unused, uint32_t owner,
                     std::string_view text, const Edge& edge) {
  const bool output = edge.node != kNoNode && !edge.control;
  const CallSite* site = output ? finder.call(owner, edge.node) : nullptr;
  if (site == nullptr || !loops(*site)) return std::string(text);
  const uint64_t port = place_after(removed_from(unused, *site), edge.port);
  if (port == edge.port) return std::string(text);
  if (owner != kMainGraph) return cat(text.substr(0, text.rfind(':')), ":", port);
  return to_text({parse_tensor_name(text).node, static_cast<uint32_t>(port), false});
}

// Returns the changed NodeDef; nullopt if nothing changes.
std::optional<std::string> node_now(const UnusedFinder& finder, const std::vector<Places>& unused,
                                    uint32_t owner, uint32_t index, const Node& node,
                                    std::span<const Edge> inputs) {
  const CallSite* site = finder.call(owner, index);
  std::vector<std::string> texts;
  bool changed = false;
  size_t i = 0;
  for (const std::string_view input : node.inputs()) {
    const bool removed = is_input_removed(unused, site, i, inputs[i].control);
    if (!removed) texts.push_back(text_now(finder, unused, owner, input, inputs[i]));
    changed = changed || removed || texts.back() != input;
    ++i;
  }
  if (!changed) return std::nullopt;
  if (site == nullptr) return NodeEditor(node).set_inputs(std::move(texts)).finish();
  return changed_call(node, site->caller, std::move(texts),
                      {.removed = removed_from(unused, *site)});
}

std::map<std::string, std::string> returns_now(const Graph& graph, const CallSites& sites,
                                               const UnusedFinder& finder,
                                               const std::vector<Places>& unused,
                                               uint32_t function) {
  const FunctionBody& body = sites.bodies[function];
  std::map<std::string, std::string> renamed;
  for (const FunctionReturn& each : returns_of(graph.functions()[function])) {
    for (size_t i = 0; i < body.returns.size(); ++i) {
      if (body.signature.outputs[i].name != each.name) continue;
      renamed[std::string(each.source)] =
          text_now(finder, unused, function, each.source, body.returns[i]);
    }
  }
  return renamed;
}

std::optional<std::string> function_now(const Graph& graph, const CallSites& sites,
                                        const UnusedFinder& finder,
                                        const std::vector<Places>& unused, uint32_t function) {
  const FunctionBody& body = sites.bodies[function];
  const Places& removed = unused[function];
  bool changed = std::find(removed.begin(), removed.end(), true) != removed.end();
  FunctionEditor editor(graph.functions()[function]);
  editor.nodes.clear();
  for (auto i = static_cast<uint32_t>(body.arg_count); i < body.nodes.size(); ++i) {
    const auto now = node_now(finder, unused, function, i, body.nodes[i], body.edges.inputs(i));
    changed = changed || now;
    editor.nodes.push_back(now ? *now : std::string(body.nodes[i].bytes));
  }
  const auto renamed = returns_now(graph, sites, finder, unused, function);
  for (const auto& [before, after] : renamed) changed = changed || before != after;
  if (!changed) return std::nullopt;
  editor.rewire_returns(renamed);
  editor.remove_arguments(removed, finder.is_body(function));
  return editor.finish();
}

Graph without_unused(const Graph& graph, const CallSites& sites, const UnusedFinder& finder,
                     const std::vector<Places>& unused) {
  const Edges& edges = graph.index().edges();
  GraphBuilder builder(graph);
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    const auto now = node_now(finder, unused, kMainGraph, i, node, edges.inputs(i));
    now ? builder.add(*now) : builder.add(node);
  }
  for (uint32_t i = 0; i < sites.bodies.size(); ++i) {
    const auto now = function_now(graph, sites, finder, unused, i);
    now ? builder.add_function(*now) : builder.add(graph.functions()[i]);
  }
  return builder.finish();
}

}  // namespace

std::optional<Model> without_unused_captures(const Model& model,
                                             const std::vector<std::string>& named) {
  if (model.graph.functions().empty()) return std::nullopt;
  const Result<CallSites> sites = find_call_sites(model.graph);
  if (!sites) return std::nullopt;
  UnusedFinder finder(model.graph, *sites);
  const std::vector<Places> unused = finder.find(parse_meta(model), named);
  const bool none = std::all_of(unused.begin(), unused.end(), [](const Places& places) {
    return std::find(places.begin(), places.end(), true) == places.end();
  });
  if (none) return std::nullopt;
  Model changed = model;
  changed.graph = without_unused(model.graph, *sites, finder, unused);
  return changed;
}

}  // namespace cryo
