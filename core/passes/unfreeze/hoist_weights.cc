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

class Hoister {
 public:
  Hoister(const Model& model, const WeightSelection& selection, CallSites sites)
      : model_(model),
        selection_(selection),
        functions_(model.graph.functions()),
        sites_(std::move(sites)),
        names_(model.graph.index().names()),
        fresh_names_(names_),
        needs_(functions_.size()) {}

  Hoisted run();

 private:
  void find_fixed();
  void find_weights_of(uint32_t function, WeightUses& uses);
  void find_needs();
  bool share(const CallSite& site);
  void name_arguments();
  std::vector<std::string> inputs_now(uint32_t owner, const Node& node,
                                      const std::vector<std::string>& added) const;
  std::string node_now(uint32_t owner, uint32_t index, const Node& node) const;
  std::string function_now(uint32_t index) const;
  Graph graph_now() const;

  const Model& model_;
  const WeightSelection& selection_;
  const std::vector<Function>& functions_;
  CallSites sites_;
  const NodeNames& names_;
  FreshNames fresh_names_;
  std::vector<Escaping> escaping_;
  std::vector<std::set<uint32_t>> needs_;              // of each function, of escaping_
  std::vector<std::map<uint32_t, std::string>> args_;  // their names as arguments
  std::map<std::pair<uint32_t, uint32_t>, const CallSite*> calls_;  // that hand weights over
  std::map<std::string, Weight> weights_;
  std::vector<std::string> fair_;
};

// The arguments of a function can change only where those of all are that it is called with, and
// of all that call it.
void Hoister::find_fixed() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallSite& site : sites_.sites) {
      const auto is_fixed = [&](uint32_t function) { return sites_.fixed[function]; };
      const bool fixed = (site.owner != kMainGraph && sites_.fixed[site.owner]) ||
                         std::any_of(site.functions.begin(), site.functions.end(), is_fixed);
      for (const uint32_t function : site.functions) {
        changed = changed || (fixed && !sites_.fixed[function]);
        sites_.fixed[function] = sites_.fixed[function] || fixed;
      }
    }
  }
}

void Hoister::find_weights_of(uint32_t function, WeightUses& uses) {
  const FunctionBody& body = sites_.bodies[function];
  std::vector<Weight> weights = find_weights(body.nodes, body.edges, uses, selection_);
  for (const Weight& weight : take_out_fair(weights)) {
    fair_.emplace_back(body.nodes[weight.node].name);
  }
  for (Weight& weight : weights) {
    const Node& node = body.nodes[weight.node];
    if (is_control_return(functions_[function], node.name)) continue;
    const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
    const std::string name = fresh_names_.take(std::string(node.name));
    needs_[function].insert(static_cast<uint32_t>(escaping_.size()));
    escaping_.push_back({function, weight.node, node, name, dtype});
    weight.why += cat(", in function ", functions_[function].name);
    weights_.emplace(name, std::move(weight));
  }
}

// All functions of a call are handed the same.
bool Hoister::share(const CallSite& site) {
  std::set<uint32_t> all;
  for (const uint32_t function : site.functions) {
    all.insert(needs_[function].begin(), needs_[function].end());
  }
  bool changed = false;
  std::vector<uint32_t> takers = site.functions;
  if (site.owner != kMainGraph) takers.push_back(site.owner);
  for (const uint32_t function : takers) {
    const size_t before = needs_[function].size();
    needs_[function].insert(all.begin(), all.end());
    changed = changed || needs_[function].size() != before;
  }
  return changed;
}

void Hoister::find_needs() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallSite& site : sites_.sites) changed = share(site) || changed;
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

void Hoister::name_arguments() {
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    const NodeNames taken(sites_.bodies[i].nodes);
    FreshNames fresh(taken);
    auto& names = args_.emplace_back();
    for (const uint32_t each : needs_[i]) {
      names[each] = fresh.take(cat(argument_name(escaping_[each].node.name), "_captured"));
    }
  }
}

// Returns the inputs of a node, with `added` after its data inputs. A removed constant becomes its
// argument: "w:output:0" -> "w_captured", "^w" -> "^w_captured".
std::vector<std::string> Hoister::inputs_now(uint32_t owner, const Node& node,
                                             const std::vector<std::string>& added) const {
  std::map<std::string_view, const std::string*> gone;
  if (owner != kMainGraph) {
    for (const auto& each : args_[owner]) {
      const Escaping& weight = escaping_[each.first];
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
std::string Hoister::node_now(uint32_t owner, uint32_t index, const Node& node) const {
  const auto site = calls_.find({owner, index});
  if (site == calls_.end()) {
    const std::vector<std::string> inputs = inputs_now(owner, node, {});
    bool stays = inputs.size() == node.input_count;
    size_t at = 0;
    for (const std::string_view input : node.inputs()) stays = stays && inputs[at++] == input;
    return stays ? std::string(node.bytes) : NodeEditor(node).set_inputs(inputs).finish();
  }
  std::vector<std::string> added;
  std::vector<DType> types;
  for (const uint32_t each : needs_[site->second->functions.front()]) {
    added.push_back(owner == kMainGraph ? escaping_[each].name : args_[owner].at(each));
    types.push_back(escaping_[each].dtype);
  }
  return changed_call(node, site->second->caller, inputs_now(owner, node, added),
                      {.added = std::move(types)});
}

std::string Hoister::function_now(uint32_t index) const {
  const FunctionBody& body = sites_.bodies[index];
  FunctionEditor editor(functions_[index]);
  std::vector<Capture> added;
  std::map<std::string, std::string> rewired;
  std::set<uint32_t> gone;
  for (const auto& each : args_[index]) {
    const Escaping& weight = escaping_[each.first];
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
    editor.nodes.push_back(node_now(index, i, body.nodes[i]));
  }
  const bool is_body = std::any_of(sites_.sites.begin(), sites_.sites.end(),
                                   [&](const auto& site) { return is_loop_body(site, index); });
  editor.rewire_returns(rewired);
  add_captures(editor, added, is_body);
  return editor.finish();
}

Graph Hoister::graph_now() const {
  GraphBuilder builder(model_.graph);
  const std::vector<Node>& nodes = model_.graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const bool calls = calls_.contains({kMainGraph, i});
    calls ? builder.add(node_now(kMainGraph, i, nodes[i])) : builder.add(nodes[i]);
  }
  for (const Escaping& each : escaping_) {
    builder.add(NodeEditor(each.node).set_name(each.name).finish());
  }
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    needs_[i].empty() ? builder.add(functions_[i]) : builder.add_function(function_now(i));
  }
  return builder.finish();
}

Hoisted Hoister::run() {
  find_fixed();
  WeightUses uses(model_.graph);
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    if (sites_.reached[i] && !sites_.fixed[i]) find_weights_of(i, uses);
  }
  if (escaping_.empty()) return {model_, {}, std::move(fair_)};
  find_needs();
  name_arguments();
  for (const CallSite& site : sites_.sites) {
    if (!needs_[site.functions.front()].empty()) calls_[{site.owner, site.node}] = &site;
  }
  Hoisted hoisted{model_, std::move(weights_), std::move(fair_)};
  hoisted.model.graph = graph_now();
  return hoisted;
}

}  // namespace

Result<Hoisted> hoist_weights(const Model& model, const WeightSelection& selection) {
  const bool known = detects_weights(selection) && has_records(model.graph.nodes());
  if (known || model.graph.functions().empty()) return Hoisted{model};
  TRY(sites, find_call_sites(model.graph));
  return Hoister(model, selection, std::move(sites)).run();
}

}  // namespace cryo
