#include "passes/unfreeze/hoist_weights.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/captures.h"
#include "graph/node_editor.h"
#include "passes/weights/weight_uses.h"

namespace cryo {
namespace {

// A constant of a body, on its way out.
struct Escaping {
  uint32_t function = 0;
  uint32_t index = 0;  // among the nodes of the function's view
  Node node = {};
  std::string name = {};  // in the main graph
  DType dtype = DType::kInvalid;
};

// Returns true if the node is a control return of the function.
bool is_control_return(const Function& function, std::string_view node) {
  const std::vector<FunctionReturn> returns = control_returns_of(function);
  return std::any_of(returns.begin(), returns.end(),
                     [&](const FunctionReturn& each) { return each.source == node; });
}

using Needs = std::set<uint32_t>;  // of HoistPlan::escaping

// Weights that leave the functions of a graph, and how they are handed to them.
struct HoistPlan {
  CallSites sites;
  std::vector<Escaping> escaping = {};
  std::vector<Needs> needs = {};                                        // of each function
  std::vector<std::map<uint32_t, std::string>> args = {};               // their names as arguments
  std::map<std::pair<uint32_t, uint32_t>, const CallSite*> calls = {};  // that hand weights over
};

// A function's arguments may change only if those of every function at the same call sites may
// change too.
void spread_fixed(CallSites& sites) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallSite& site : sites.sites) {
      const auto is_fixed = [&](uint32_t function) { return sites.fixed[function]; };
      const bool fixed = (site.owner != kMainGraph && sites.fixed[site.owner]) ||
                         std::any_of(site.functions.begin(), site.functions.end(), is_fixed);
      for (const uint32_t function : site.functions) {
        changed = changed || (fixed && !sites.fixed[function]);
        sites.fixed[function] = sites.fixed[function] || fixed;
      }
    }
  }
}

// Finds the weights of all functions whose arguments may change.
void find_escaping(const Model& model, const WeightSelection& selection, HoistPlan& plan,
                   Hoisted& hoisted) {
  WeightUses uses(model.graph);
  FreshNames fresh(model.graph.index().names());
  const std::vector<Function>& functions = model.graph.functions();
  plan.needs.resize(functions.size());
  for (uint32_t i = 0; i < functions.size(); ++i) {
    if (!plan.sites.reached[i] || plan.sites.fixed[i]) continue;
    const FunctionBody& body = plan.sites.bodies[i];
    std::vector<Weight> weights = find_weights(body.nodes, body.edges, uses, selection);
    for (const Weight& weight : take_out_fair(weights)) {
      hoisted.fair.emplace_back(body.nodes[weight.node].name);
    }
    for (Weight& weight : weights) {
      const Node& node = body.nodes[weight.node];
      if (is_control_return(functions[i], node.name)) continue;
      const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
      const std::string name = fresh.take(std::string(node.name));
      plan.needs[i].insert(static_cast<uint32_t>(plan.escaping.size()));
      plan.escaping.push_back({i, weight.node, node, name, dtype});
      weight.why += cat(", in function ", functions[i].name);
      hoisted.weights.emplace(name, std::move(weight));
    }
  }
}

// All functions of a call are handed the same.
bool share(const CallSite& site, std::vector<Needs>& needs) {
  std::set<uint32_t> all;
  for (const uint32_t function : site.functions) {
    all.insert(needs[function].begin(), needs[function].end());
  }
  bool changed = false;
  std::vector<uint32_t> takers = site.functions;
  if (site.owner != kMainGraph) takers.push_back(site.owner);
  for (const uint32_t function : takers) {
    const size_t before = needs[function].size();
    needs[function].insert(all.begin(), all.end());
    changed = changed || needs[function].size() != before;
  }
  return changed;
}

void spread_needs(const std::vector<CallSite>& sites, std::vector<Needs>& needs) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallSite& site : sites) changed = share(site, needs) || changed;
  }
}

// An argument's name has letters, digits and underscores.
std::string argument_name(std::string_view node) {
  std::string name(node);
  for (char& each : name) {
    const bool digit = each >= '0' && each <= '9';
    const bool letter = (each | 0x20) >= 'a' && (each | 0x20) <= 'z';
    if (!digit && !letter) each = '_';
  }
  return name;
}

void name_arguments(HoistPlan& plan) {
  for (size_t i = 0; i < plan.needs.size(); ++i) {
    const NodeNames taken(plan.sites.bodies[i].nodes);
    FreshNames fresh(taken);
    auto& names = plan.args.emplace_back();
    for (const uint32_t each : plan.needs[i]) {
      names[each] = fresh.take(cat(argument_name(plan.escaping[each].node.name), "_captured"));
    }
  }
}

// Returns the inputs of a node, with `added` after its data inputs. A removed constant becomes its
// argument: "w:output:0" -> "w_captured", "^w" -> "^w_captured".
std::vector<std::string> inputs_now(const HoistPlan& plan, uint32_t owner, const Node& node,
                                    const std::vector<std::string>& added) {
  std::map<std::string_view, const std::string*> gone;
  if (owner != kMainGraph) {
    for (const auto& each : plan.args[owner]) {
      const Escaping& weight = plan.escaping[each.first];
      if (weight.function == owner) gone.emplace(weight.node.name, &each.second);
    }
  }
  std::vector<std::string> inputs, controls;
  for (const std::string_view input : node.inputs()) {
    const auto found = gone.find(owner == kMainGraph ? input : body_node_name(input));
    const bool control = input.starts_with('^');
    const std::string_view now = found == gone.end() ? input : *found->second;
    const bool hat = control && found != gone.end();
    (control ? controls : inputs).push_back(cat(hat ? "^" : "", now));
  }
  inputs.insert(inputs.end(), added.begin(), added.end());
  inputs.insert(inputs.end(), controls.begin(), controls.end());
  return inputs;
}

// Returns the new NodeDef, of a call that passes weights or of any other node.
std::string node_now(const HoistPlan& plan, uint32_t owner, uint32_t index, const Node& node) {
  const auto site = plan.calls.find({owner, index});
  if (site == plan.calls.end()) {
    const std::vector<std::string> inputs = inputs_now(plan, owner, node, {});
    bool stays = inputs.size() == node.input_count;
    size_t at = 0;
    for (const std::string_view input : node.inputs()) stays = stays && inputs[at++] == input;
    return stays ? std::string(node.bytes) : NodeEditor(node).set_inputs(inputs).finish();
  }
  std::vector<std::string> added;
  std::vector<DType> types;
  for (const uint32_t each : plan.needs[site->second->functions.front()]) {
    added.push_back(owner == kMainGraph ? plan.escaping[each].name : plan.args[owner].at(each));
    types.push_back(plan.escaping[each].dtype);
  }
  return changed_call(node, site->second->caller, inputs_now(plan, owner, node, added),
                      {.added = std::move(types)});
}

std::string function_now(const HoistPlan& plan, const Function& function, uint32_t index) {
  const FunctionBody& body = plan.sites.bodies[index];
  FunctionEditor editor(function);
  std::vector<Capture> added;
  std::map<std::string, std::string> rewired;
  std::set<uint32_t> gone;
  for (const auto& each : plan.args[index]) {
    const Escaping& weight = plan.escaping[each.first];
    added.push_back({each.second, weight.dtype});
    if (weight.function != index) continue;
    gone.insert(weight.index);
    added.back().constant = weight.node.name;
    added.back().place = weight.index - body.arg_count;
    rewired.emplace(cat(weight.node.name, ":output:0"), each.second);
  }
  editor.nodes.clear();
  for (auto i = static_cast<uint32_t>(body.arg_count); i < body.nodes.size(); ++i) {
    if (gone.contains(i)) continue;
    editor.nodes.push_back(node_now(plan, index, i, body.nodes[i]));
  }
  const bool is_body = std::any_of(plan.sites.sites.begin(), plan.sites.sites.end(),
                                   [&](const auto& site) { return is_loop_body(site, index); });
  editor.rewire_returns(rewired);
  add_captures(editor, added, is_body);
  return editor.finish();
}

Graph with_hoisted(const Graph& graph, const HoistPlan& plan) {
  GraphBuilder builder(graph);
  const std::vector<Node>& nodes = graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const bool calls = plan.calls.contains({kMainGraph, i});
    calls ? builder.add(node_now(plan, kMainGraph, i, nodes[i])) : builder.add(nodes[i]);
  }
  for (const Escaping& each : plan.escaping) {
    builder.add(NodeEditor(each.node).set_name(each.name).finish());
  }
  for (uint32_t i = 0; i < graph.functions().size(); ++i) {
    const Function& function = graph.functions()[i];
    plan.needs[i].empty() ? builder.add(function)
                          : builder.add_function(function_now(plan, function, i));
  }
  return builder.finish();
}

}  // namespace

Result<Hoisted> hoist_weights(const Model& model, const WeightSelection& selection) {
  const bool known = detects_weights(selection) && has_records(model.graph.nodes());
  Hoisted hoisted{model};
  if (known || model.graph.functions().empty()) return hoisted;
  TRY(sites, find_call_sites(model.graph));
  HoistPlan plan{std::move(sites)};
  spread_fixed(plan.sites);
  find_escaping(model, selection, plan, hoisted);
  if (plan.escaping.empty()) return hoisted;
  spread_needs(plan.sites.sites, plan.needs);
  name_arguments(plan);
  for (const CallSite& site : plan.sites.sites) {
    if (!plan.needs[site.functions.front()].empty()) plan.calls[{site.owner, site.node}] = &site;
  }
  hoisted.model.graph = with_hoisted(model.graph, plan);
  return hoisted;
}

}  // namespace cryo
