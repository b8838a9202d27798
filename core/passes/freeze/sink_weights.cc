#include "passes/freeze/sink_weights.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/captures.h"
#include "graph/node_editor.h"

namespace cryo {
namespace {

class Sinker {
 public:
  Sinker(const Model& model, CallSites sites)
      : model_(model),
        nodes_(model.graph.nodes()),
        functions_(model.graph.functions()),
        sites_(std::move(sites)),
        names_(model.graph.index().names()) {}

  Model run();

 private:
  bool find_captures();
  bool find_constants();
  bool give(const CallSite& site, bool& changed);
  uint32_t constant_of(uint32_t owner, std::string_view input) const;
  size_t taken_by(const CallSite& site) const { return captured_[site.functions.front()].size(); }
  std::vector<std::string> inputs_now(const Node& node, size_t taken,
                                      const std::map<std::string, std::string>& rewired) const;
  std::string call_now(const Node& node, const CallSite& site,
                       const std::map<std::string, std::string>& rewired) const;
  std::string body_node_now(uint32_t function, uint32_t index,
                            const std::map<std::string, std::string>& rewired) const;
  std::string function_now(uint32_t index) const;

  const Model& model_;
  const std::vector<Node>& nodes_;
  const std::vector<Function>& functions_;
  CallSites sites_;
  const NodeNames& names_;
  std::vector<std::vector<Capture>> captured_;    // by each function
  std::vector<std::vector<uint32_t>> constants_;  // of the main graph, that are given for those
  std::map<std::pair<uint32_t, uint32_t>, const CallSite*> calls_;  // that hand some over
};

std::vector<std::string_view> data_inputs(const Node& node) {
  std::vector<std::string_view> inputs;
  for (const std::string_view input : node.inputs()) {
    if (!input.starts_with('^')) inputs.push_back(input);
  }
  return inputs;
}

// Returns false if there are none, or if functions that share a call have different ones.
bool Sinker::find_captures() {
  bool any = false;
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    captured_.push_back(captured_by(functions_[i], sites_.bodies[i]));
    constants_.emplace_back(captured_.back().size(), kNoNode);
    any = any || !captured_.back().empty();
  }
  for (const CallSite& site : sites_.sites) {
    for (const uint32_t function : site.functions) {
      if (captured_[function].size() != taken_by(site) || sites_.fixed[function]) return false;
    }
    if (taken_by(site) > data_inputs(sites_.node_of(model_.graph, site)).size()) return false;
    if (taken_by(site) > 0) calls_[{site.owner, site.node}] = &site;
  }
  return any;
}

// Returns the constant that an input is, directly or as an argument; kNoNode if it is not one, or
// not known yet.
uint32_t Sinker::constant_of(uint32_t owner, std::string_view input) const {
  if (owner == kMainGraph) {
    const uint32_t node = names_.find(input);
    const bool constant =
        node != kNoNode && nodes_[node].op == "Const" && nodes_[node].input_count == 0;
    return constant ? node : kNoNode;
  }
  for (size_t i = 0; i < captured_[owner].size(); ++i) {
    if (captured_[owner][i].arg == input) return constants_[owner][i];
  }
  return kNoNode;
}

// Returns false if another constant was passed before.
bool Sinker::give(const CallSite& site, bool& changed) {
  const auto inputs = data_inputs(sites_.node_of(model_.graph, site));
  const size_t first = inputs.size() - taken_by(site);
  for (size_t i = 0; i < taken_by(site); ++i) {
    const uint32_t constant = constant_of(site.owner, inputs[first + i]);
    if (constant == kNoNode) continue;
    for (const uint32_t function : site.functions) {
      uint32_t& known = constants_[function][i];
      if (known != kNoNode && known != constant) return false;
      changed = changed || known == kNoNode;
      known = constant;
    }
  }
  return true;
}

bool Sinker::find_constants() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallSite& site : sites_.sites) {
      if (!give(site, changed)) return false;
    }
  }
  // A call that was given something else as well as the constant would be none the wiser.
  for (const auto& call : calls_) {
    const CallSite& site = *call.second;
    const auto inputs = data_inputs(sites_.node_of(model_.graph, site));
    for (size_t i = inputs.size() - taken_by(site); i < inputs.size(); ++i) {
      if (constant_of(site.owner, inputs[i]) == kNoNode) return false;
    }
  }
  return std::all_of(constants_.begin(), constants_.end(), [](const auto& all) {
    return std::find(all.begin(), all.end(), kNoNode) == all.end();
  });
}

std::vector<std::string> Sinker::inputs_now(
    const Node& node, size_t taken, const std::map<std::string, std::string>& rewired) const {
  const size_t count = data_inputs(node).size() - taken;
  std::vector<std::string> inputs;
  size_t at = 0;
  for (const std::string_view input : node.inputs()) {
    const bool control = input.starts_with('^');
    if (!control && at++ >= count) continue;
    const auto found = rewired.find(std::string(input));
    inputs.push_back(found == rewired.end() ? std::string(input) : found->second);
  }
  return inputs;
}

// A call without its last inputs.
std::string Sinker::call_now(const Node& node, const CallSite& site,
                             const std::map<std::string, std::string>& rewired) const {
  const size_t arguments = sites_.bodies[site.functions.front()].arg_count;
  const size_t count = taken_by(site);
  return changed_call(node, site.caller, inputs_now(node, count, rewired),
                      {.removed = last_places(arguments, count)});
}

std::string Sinker::body_node_now(uint32_t function, uint32_t index,
                                  const std::map<std::string, std::string>& rewired) const {
  const Node& node = sites_.bodies[function].nodes[index];
  const auto call = calls_.find({function, index});
  if (call == calls_.end())
    return NodeEditor(node).set_inputs(inputs_now(node, 0, rewired)).finish();
  return call_now(node, *call->second, rewired);
}

std::string Sinker::function_now(uint32_t index) const {
  const FunctionBody& body = sites_.bodies[index];
  const NodeNames taken(body.nodes);
  FreshNames fresh(taken);
  const size_t count = captured_[index].size();
  std::vector<std::string> node_defs;
  std::map<std::string, std::string> rewired;
  std::multimap<size_t, std::string> constants;  // by their places
  for (size_t i = 0; i < count; ++i) {
    const Capture& capture = captured_[index][i];
    if (capture.constant.empty()) continue;
    const std::string name = fresh.take(capture.constant);
    const Node& constant = nodes_[constants_[index][i]];
    constants.emplace(capture.place, NodeEditor(constant).set_name(name).finish());
    rewired.emplace(capture.arg, cat(name, ":output:0"));
    rewired.emplace(cat("^", capture.arg), cat("^", name));
  }
  auto next = static_cast<uint32_t>(body.arg_count);
  while (next < body.nodes.size() || !constants.empty()) {
    const bool here = !constants.empty() &&
                      (next == body.nodes.size() || constants.begin()->first <= node_defs.size());
    node_defs.push_back(here ? constants.begin()->second : body_node_now(index, next, rewired));
    if (here) {
      constants.erase(constants.begin());
    } else {
      ++next;
    }
  }
  const bool is_body = std::any_of(sites_.sites.begin(), sites_.sites.end(),
                                   [&](const auto& site) { return is_loop_body(site, index); });
  FunctionEditor editor(functions_[index]);
  editor.nodes = std::move(node_defs);
  editor.rewire_returns(rewired);
  remove_captures(editor, count, is_body);
  return editor.finish();
}

Model Sinker::run() {
  if (!find_captures() || !find_constants()) return model_;
  GraphBuilder builder(model_.graph);
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto call = calls_.find({kMainGraph, i});
    if (call == calls_.end()) {
      builder.add(nodes_[i]);
      continue;
    }
    builder.add(call_now(nodes_[i], *call->second, {}));
  }
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    captured_[i].empty() ? builder.add(functions_[i]) : builder.add_function(function_now(i));
  }
  Model sunk = model_;
  sunk.graph = builder.finish();
  return sunk;
}

}  // namespace

Result<Model> sink_weights(const Model& model) {
  if (model.graph.functions().empty()) return model;
  TRY(sites, find_call_sites(model.graph));
  return Sinker(model, std::move(sites)).run();
}

}  // namespace cryo
