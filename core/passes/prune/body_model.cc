#include "passes/prune/body_model.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_editor.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "passes/prune/pruner.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

using Inputs = std::vector<std::string>;

// An output whose port is unknown gets a port from here on: no op has so many.
constexpr uint32_t kNoPort = 1 << 20;

// No node of a model that TensorFlow takes is named so.
constexpr std::string_view kEnd = "%end_";

}  // namespace

std::optional<BodyModel> BodyModel::of(const Function& function, KnownOps& ops,
                                       const std::shared_ptr<Payloads>& payloads) {
  BodyModel body(function);
  body.model_.has_graph = true;
  body.model_.payloads = payloads;
  return body.read(ops) ? std::optional(std::move(body)) : std::nullopt;
}

// "indices:0" of a TopKV2 -> 1.
uint32_t BodyModel::port_of(std::string_view output, std::string_view op, KnownOps& ops) const {
  const size_t colon = output.find(':');
  const std::string_view name = output.substr(0, colon);
  uint32_t port = 0;
  if (colon != std::string_view::npos) {
    std::from_chars(output.data() + colon + 1, output.data() + output.size(), port);
  }
  const OpDef* def = ops.find(op).def;
  uint32_t before = 0;
  for (size_t i = 0; def != nullptr && i < def->outputs.size(); ++i, ++before) {
    if (def->outputs[i].name == name) return before + port;
    if (def->outputs[i].is_list()) break;
  }
  return kNoPort + static_cast<uint32_t>(texts_.size());
}

// An input as a main graph writes it.
std::optional<std::string> BodyModel::flat(std::string_view input, KnownOps& ops) {
  const std::string_view name = body_node_name(input);
  const auto op = ops_.find(name);
  if (op == ops_.end() && is_arg_.count(name) == 0) return std::nullopt;
  taken_.insert(name);
  if (input.starts_with('^')) return std::string(input);
  if (op == ops_.end()) return std::string(name);
  const auto [known, fresh] = flats_.try_emplace(std::string(input));
  if (!fresh) return known->second;
  const std::string_view output = input.substr(std::min(name.size() + 1, input.size()));
  const uint32_t port = port_of(output, op->second, ops);
  texts_.emplace(Port(name, port), input);
  known->second = to_text({name, port, false});
  return known->second;
}

bool BodyModel::add_nodes(GraphBuilder& builder, KnownOps& ops) {
  for (const std::string_view arg : args_) builder.add(NodeEditor(arg, "_Arg").finish());
  const Result<std::vector<Node>> nodes = body_nodes(*function_);
  if (!nodes) return false;
  for (const Node& node : *nodes) {
    if (is_arg_.count(node.name) > 0 || node.name.starts_with(kEnd)) return false;
    if (!ops_.emplace(node.name, node.op).second) return false;
  }
  for (const Node& node : *nodes) {
    std::vector<std::string> inputs;
    for (const std::string_view input : node.inputs()) {
      auto now = flat(input, ops);
      if (!now) return false;
      inputs.push_back(std::move(*now));
    }
    builder.add(NodeEditor(node).set_inputs(std::move(inputs)).finish());
  }
  return true;
}

// Returns the name of a new node that takes the input.
std::string BodyModel::add_end(GraphBuilder& builder, std::string_view op, std::string_view input) {
  ends_.push_back(cat(kEnd, ends_.size()));
  builder.add(NodeEditor(ends_.back(), op).add_input(input).finish());
  return ends_.back();
}

bool BodyModel::add_ends(GraphBuilder& builder, KnownOps& ops) {
  for (const FunctionReturn& each : returns_of(*function_)) {
    const auto input = flat(each.source, ops);
    if (!input) return false;
    returns_.push_back({each.name, add_end(builder, "_Retval", *input)});
  }
  for (const FunctionReturn& each : control_returns_of(*function_)) {
    if (ops_.count(each.source) == 0) return false;
    taken_.insert(each.source);
    controls_.push_back({each.name, add_end(builder, "ControlTrigger", cat("^", each.source))});
  }
  ends_.push_back(cat(kEnd, ends_.size()));
  NodeEditor rest(ends_.back(), "ControlTrigger");
  const Result<std::vector<Node>> nodes = body_nodes(*function_);
  for (const Node& node : *nodes) {
    if (taken_.count(node.name) == 0) rest.add_input(cat("^", node.name));
  }
  builder.add(rest.finish());
  return true;
}

bool BodyModel::read(KnownOps& ops) {
  const OpDef signature = read_op_def(signature_of(*function_));
  for (const ArgDef& arg : signature.inputs) {
    if (arg.is_list()) return false;
    if (!is_arg_.insert(arg.name).second) return false;
    args_.push_back(arg.name);
  }
  GraphBuilder builder{Graph()};
  if (!add_nodes(builder, ops) || !add_ends(builder, ops)) return false;
  model_.graph = builder.finish();
  return true;
}

Result<Model> BodyModel::pruned(const Model& model) const {
  Ends ends = only_outputs({ends_.back()}, ends_);
  for (const Node& node : model.graph.nodes()) {
    if (is_update(node.op)) ends.keep.emplace_back(node.name);
  }
  Diagnostics diagnostics;
  return prune_to_outputs(model, ends, nullptr, diagnostics);
}

// An input as the body writes it; empty for one that only waits for an argument.
std::string BodyModel::text_of(std::string_view input, const std::vector<Node>& nodes,
                               const NodeNames& names) const {
  const TensorName name = parse_tensor_name(input);
  if (is_arg_.count(name.node) > 0) return name.control ? std::string() : std::string(name.node);
  if (name.control) return std::string(input);
  const auto before = ops_.find(name.node);
  const uint32_t node = names.find(name.node);
  const bool same = before != ops_.end() && node != kNoNode && nodes[node].op == before->second;
  const auto text = texts_.find(Port(name.node, name.port));
  if (same && text != texts_.end()) return text->second;
  return cat(name.node, ":output:", name.port);  // an Identity, a Const, a call
}

std::vector<std::string> BodyModel::inputs_of(const Node& node, const std::vector<Node>& nodes,
                                              const NodeNames& names) const {
  std::vector<std::string> inputs;
  for (const std::string_view input : node.inputs()) {
    std::string text = text_of(input, nodes, names);
    if (!text.empty()) inputs.push_back(std::move(text));
  }
  return inputs;
}

std::optional<std::string> BodyModel::function_def(const Graph& graph) const {
  const std::vector<Node>& nodes = graph.nodes();
  const NodeNames& names = graph.index().names();
  FreshNames fresh(names);
  FunctionEditor function(*function_);
  function.nodes.clear();
  function.returns.clear();
  function.control_returns.clear();
  for (const Node& node : nodes) {
    if (node.name.starts_with(kEnd) || is_arg_.count(node.name) > 0) continue;
    NodeEditor editor(node);
    function.nodes.push_back(editor.set_inputs(inputs_of(node, nodes, names)).finish());
  }
  for (const End& end : returns_) {
    const uint32_t node = names.find(end.node);
    const auto inputs = node == kNoNode ? Inputs() : inputs_of(nodes[node], nodes, names);
    if (inputs.size() != 1) return std::nullopt;
    function.returns.push_back(map_entry(end.key, inputs.front()));
  }
  for (const End& end : controls_) {
    const uint32_t node = names.find(end.node);
    auto inputs = node == kNoNode ? Inputs() : inputs_of(nodes[node], nodes, names);
    if (inputs.size() != 1) {  // the node was removed: its control inputs are inherited
      NodeEditor left(fresh.take("control_output"), "NoOp");
      function.nodes.push_back(left.set_inputs(std::move(inputs)).finish());
      inputs = {cat("^", scan_node(function.nodes.back())->name)};
    }
    function.control_returns.push_back(map_entry(end.key, inputs.front().substr(1)));
  }
  return function.finish();
}

}  // namespace cryo
