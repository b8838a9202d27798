#include "passes/freeze/sink_weights.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/captures.h"
#include "graph/node_editor.h"

namespace cryo {
namespace {

struct SunkWeights {
  CallSites sites;
  std::vector<std::vector<Capture>> captured = {};    // by each function
  std::vector<std::vector<uint32_t>> constants = {};  // of the main graph, that are given for those
  std::map<std::pair<uint32_t, uint32_t>, const CallSite*> calls = {};  // that hand some over
};

std::vector<std::string_view> data_inputs(const Node& node) {
  std::vector<std::string_view> inputs;
  for (const std::string_view input : node.inputs()) {
    if (!input.starts_with('^')) inputs.push_back(input);
  }
  return inputs;
}

size_t taken_by(const SunkWeights& sinks, const CallSite& site) {
  return sinks.captured[site.functions.front()].size();
}

// Returns false if there are none, or if functions that share a call have different ones.
bool find_captures(const Model& model, SunkWeights& sinks) {
  bool any = false;
  for (uint32_t i = 0; i < model.graph.functions().size(); ++i) {
    sinks.captured.push_back(captured_by(model.graph.functions()[i], sinks.sites.bodies[i]));
    sinks.constants.emplace_back(sinks.captured.back().size(), kNoNode);
    any = any || !sinks.captured.back().empty();
  }
  for (const CallSite& site : sinks.sites.sites) {
    for (const uint32_t function : site.functions) {
      if (sinks.captured[function].size() != taken_by(sinks, site) || sinks.sites.fixed[function])
        return false;
    }
    if (taken_by(sinks, site) > data_inputs(sinks.sites.node_of(model.graph, site)).size())
      return false;
    if (taken_by(sinks, site) > 0) sinks.calls[{site.owner, site.node}] = &site;
  }
  return any;
}

// Returns the constant that an input is, directly or as an argument; kNoNode if it is not one, or
// not known yet.
uint32_t constant_of(const Model& model, const SunkWeights& sinks, uint32_t owner,
                     std::string_view input) {
  if (owner == kMainGraph) {
    const uint32_t node = model.graph.index().names().find(input);
    const bool constant = node != kNoNode && model.graph.nodes()[node].op == "Const" &&
                          model.graph.nodes()[node].input_count == 0;
    return constant ? node : kNoNode;
  }
  for (size_t i = 0; i < sinks.captured[owner].size(); ++i) {
    if (sinks.captured[owner][i].arg == input) return sinks.constants[owner][i];
  }
  return kNoNode;
}

// Returns false if another constant was passed before.
bool give(const Model& model, const CallSite& site, bool& changed, SunkWeights& sinks) {
  const auto inputs = data_inputs(sinks.sites.node_of(model.graph, site));
  const size_t first = inputs.size() - taken_by(sinks, site);
  for (size_t i = 0; i < taken_by(sinks, site); ++i) {
    const uint32_t constant = constant_of(model, sinks, site.owner, inputs[first + i]);
    if (constant == kNoNode) continue;
    for (const uint32_t function : site.functions) {
      uint32_t& known = sinks.constants[function][i];
      if (known != kNoNode && known != constant) return false;
      changed = changed || known == kNoNode;
      known = constant;
    }
  }
  return true;
}

bool find_constants(const Model& model, SunkWeights& sinks) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallSite& site : sinks.sites.sites) {
      if (!give(model, site, changed, sinks)) return false;
    }
  }
  // A call that was given something else as well as the constant would be none the wiser.
  for (const auto& call : sinks.calls) {
    const CallSite& site = *call.second;
    const auto inputs = data_inputs(sinks.sites.node_of(model.graph, site));
    for (size_t i = inputs.size() - taken_by(sinks, site); i < inputs.size(); ++i) {
      if (constant_of(model, sinks, site.owner, inputs[i]) == kNoNode) return false;
    }
  }
  return std::all_of(sinks.constants.begin(), sinks.constants.end(), [](const auto& all) {
    return std::find(all.begin(), all.end(), kNoNode) == all.end();
  });
}

std::vector<std::string> inputs_after_sinking(const Node& node, size_t taken,
                                              const std::map<std::string, std::string>& rewired) {
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
std::string call_now(const SunkWeights& sinks, const Node& node, const CallSite& site,
                     const std::map<std::string, std::string>& rewired) {
  const size_t arguments = sinks.sites.bodies[site.functions.front()].arg_count;
  const size_t count = taken_by(sinks, site);
  return changed_call(node, site.caller, inputs_after_sinking(node, count, rewired),
                      {.removed = last_places(arguments, count)});
}

std::string body_node_now(const SunkWeights& sinks, uint32_t function, uint32_t index,
                          const std::map<std::string, std::string>& rewired) {
  const Node& node = sinks.sites.bodies[function].nodes[index];
  const auto call = sinks.calls.find({function, index});
  if (call == sinks.calls.end())
    return NodeEditor(node).set_inputs(inputs_after_sinking(node, 0, rewired)).finish();
  return call_now(sinks, node, *call->second, rewired);
}

std::string sunk_function(const Model& model, const SunkWeights& sinks, uint32_t index) {
  const FunctionBody& body = sinks.sites.bodies[index];
  const NodeNames taken(body.nodes);
  FreshNames fresh(taken);
  const size_t count = sinks.captured[index].size();
  std::vector<std::string> node_defs;
  std::map<std::string, std::string> rewired;
  std::multimap<size_t, std::string> constants;  // by their places
  for (size_t i = 0; i < count; ++i) {
    const Capture& capture = sinks.captured[index][i];
    if (capture.constant.empty()) continue;
    const std::string name = fresh.take(capture.constant);
    const Node& constant = model.graph.nodes()[sinks.constants[index][i]];
    constants.emplace(capture.place, NodeEditor(constant).set_name(name).finish());
    rewired.emplace(capture.arg, cat(name, ":output:0"));
    rewired.emplace(cat("^", capture.arg), cat("^", name));
  }
  auto next = static_cast<uint32_t>(body.arg_count);
  while (next < body.nodes.size() || !constants.empty()) {
    const bool here = !constants.empty() &&
                      (next == body.nodes.size() || constants.begin()->first <= node_defs.size());
    node_defs.push_back(here ? constants.begin()->second
                             : body_node_now(sinks, index, next, rewired));
    if (here) {
      constants.erase(constants.begin());
    } else {
      ++next;
    }
  }
  const bool is_body = std::any_of(sinks.sites.sites.begin(), sinks.sites.sites.end(),
                                   [&](const auto& site) { return is_loop_body(site, index); });
  FunctionEditor editor(model.graph.functions()[index]);
  editor.nodes = std::move(node_defs);
  editor.rewire_returns(rewired);
  remove_captures(editor, count, is_body);
  return editor.finish();
}

}  // namespace

Result<Model> sink_weights(const Model& model) {
  if (model.graph.functions().empty()) return model;
  TRY(sites, find_call_sites(model.graph));
  SunkWeights sinks{std::move(sites)};
  if (!find_captures(model, sinks) || !find_constants(model, sinks)) return model;
  GraphBuilder builder(model.graph);
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    const auto call = sinks.calls.find({kMainGraph, i});
    if (call == sinks.calls.end()) {
      builder.add(model.graph.nodes()[i]);
      continue;
    }
    builder.add(call_now(sinks, model.graph.nodes()[i], *call->second, {}));
  }
  for (uint32_t i = 0; i < model.graph.functions().size(); ++i) {
    sinks.captured[i].empty() ? builder.add(model.graph.functions()[i])
                              : builder.add_function(sunk_function(model, sinks, i));
  }
  Model sunk = model;
  sunk.graph = builder.finish();
  return sunk;
}

}  // namespace cryo
