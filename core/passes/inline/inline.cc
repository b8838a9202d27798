#include "passes/inline/inline.h"

#include <algorithm>
#include <list>
#include <unordered_map>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "graph/needs.h"
#include "graph/node_editor.h"
#include "model/model_ops.h"
#include "passes/common/call_body.h"
#include "passes/inline/lower.h"

namespace cryo {
namespace {

constexpr uint32_t kNoFrame = 0xFFFFFFFF;

struct InlineRequest {
  const Model& model;
  const OpRegistry& ops;
  bool keeps_calls = false;  // but those that lowering makes, or that only loading needs
  bool lowers = false;       // control flow
  std::unordered_set<std::string_view> outputs = {};
  std::unordered_set<std::string_view> keep = {};
  std::unordered_set<std::string_view> only = {};  // these calls; empty: all
};

// All that making nodes takes.
struct NodeMaker {
  explicit NodeMaker(const InlineRequest& request)
      : library(request.model.graph),
        ops(request.ops, library),
        fresh(request.model.graph.index().names()),
        budget(request.model.graph) {}

  const Library library;
  KnownOps ops;
  FreshNames fresh;
  GrowthBudget budget;
  std::list<std::string> storage = {};

  Result<Node> stored(std::string node_def) {
    storage.push_back(std::move(node_def));
    return scan_node(storage.back());
  }
};

// A node that may be a call; `frame`: the call whose body it comes from.
struct PendingNode {
  Node node;
  uint32_t frame = kNoFrame;
};

struct InlinedNode {
  Node node;
  bool fresh = false;  // not of the model's own graph
};

struct CallFrame {
  std::string_view function = {};  // empty: the nodes of lowered control flow
  uint32_t parent = kNoFrame;
  bool gated = false;  // switches or frames stand around its nodes
};

struct ReplacedCall {
  std::vector<std::string> outputs = {};
  std::vector<std::string> controls = {};
  std::string hub = {};  // a NoOp after all of `controls`, made on demand
};

// A graph whose calls are being replaced by their bodies.
struct Inlining {
  std::vector<uint32_t> needed = {};  // of the main graph, by whom, for the outputs (graph/needs.h)
  bool gated = false;                 // the main graph has switches or frames
  std::vector<CallFrame> frames = {};
  std::vector<PendingNode> pending = {};  // a stack: the next node last
  std::vector<InlinedNode> done = {};
  std::unordered_map<std::string_view, ReplacedCall> replaced = {};  // by the call's name
};

void push(const std::vector<Node>& nodes, uint32_t frame, Inlining& at) {
  for (size_t i = nodes.size(); i-- > 0;) at.pending.push_back({nodes[i], frame});
}

Status check_recursion(const Inlining& at, const PendingNode& pending, std::string_view function) {
  for (uint32_t frame = pending.frame; frame != kNoFrame; frame = at.frames[frame].parent) {
    if (at.frames[frame].function != function) continue;
    return failure("recursive-function",
                   cat("function '", function, "' calls itself, by '", pending.node.name, "'"),
                   {.function = function, .node = std::string(pending.node.name)},
                   "choose outputs that do not need it (" OPTION("--outputs", "") ")");
  }
  return Unit{};
}

// Returns true for a call that XLA must compile: its body may use ops that run nowhere else.
bool must_be_compiled(const Node& node, const LibraryFunction& function) {
  constexpr std::string_view kCompiled = "_XlaMustCompile";
  if (bool_attr(node, kCompiled).value_or(false)) return true;
  const auto compiled = find_attr(*function.function, kCompiled);
  return compiled && AttrValue(*compiled).number() != 0;
}

// Returns the node under the name of an output that was a call: it gives the same tensors.
std::string named_outputs(const Node& node, const CallBody& body) {
  if (body.outputs.empty()) {
    return NodeEditor(node.name, "NoOp").set_inputs(body.controls).finish();
  }
  const bool one = body.outputs.size() == 1;
  NodeEditor editor(node.name, one ? "Identity" : "IdentityN");
  editor.set_inputs(body.outputs).set_device(device_of(node));
  editor.set_attr("T", one ? type_value(body.types.front()) : type_list_value(body.types));
  return editor.finish();
}

// `around`: switches or frames stand around the node.
Status replace_call(const InlineRequest& request, const PendingNode& pending,
                    std::string_view function, bool around, CallBody body, NodeMaker& maker,
                    Inlining& at) {
  std::vector<Node> nodes;
  for (std::string& each : body.nodes) {
    TRY(node, maker.stored(std::move(each)));
    nodes.push_back(node);
  }
  const bool gated = around || has_switches_or_frames(nodes);
  at.frames.push_back({function, pending.frame, gated});
  if (request.outputs.contains(pending.node.name)) {
    TRY(named, maker.stored(named_outputs(pending.node, body)));
    at.done.push_back({named, true});
  } else if (request.keep.contains(pending.node.name)) {
    TRY(after,
        maker.stored(NodeEditor(pending.node.name, "NoOp").set_inputs(body.controls).finish()));
    at.done.push_back({after, true});
  }
  push(nodes, static_cast<uint32_t>(at.frames.size() - 1), at);
  at.replaced.emplace(pending.node.name,
                      ReplacedCall{std::move(body.outputs), std::move(body.controls)});
  return Unit{};
}

bool inlines(const InlineRequest& request, const Inlining& at, const PendingNode& pending) {
  const bool in_main = pending.frame == kNoFrame;
  if (!request.only.empty()) return in_main && request.only.contains(pending.node.name);
  if (!request.keeps_calls) return true;
  if (!in_main) return !request.lowers || at.frames[pending.frame].function.empty();
  const uint32_t node = request.model.graph.index().names().find(pending.node.name);
  return !request.lowers && at.needed[node] == kNoNode;
}

Status take_node(const InlineRequest& request, const PendingNode& pending, NodeMaker& maker,
                 Inlining& at, Diagnostics& diagnostics) {
  const Node& node = pending.node;
  if (request.lowers && is_functional_control_flow(node.op)) {
    TRY(plain, lower_call(node, maker.library, maker.fresh, maker.budget, *request.model.payloads));
    return replace_call(request, pending, {}, true, std::move(plain), maker, at);
  }
  const auto call = call_of(node, maker.ops.find(node.op), nullptr);
  const LibraryFunction* function = call ? maker.library.find(call->function) : nullptr;
  const bool stays =
      function == nullptr || !inlines(request, at, pending) || must_be_compiled(node, *function);
  if (stays) {
    at.done.push_back({node, pending.frame != kNoFrame});
    return Unit{};
  }
  CHECK_OK(check_recursion(at, pending, call->function));
  const bool around = pending.frame == kNoFrame ? at.gated : at.frames[pending.frame].gated;
  TRY(body, body_of_call(node, *call, *function, maker.ops, maker.fresh, maker.budget, around));
  for (const std::string& op : body.assumed) {
    diagnostics.warn("op-assumed",
                     cat("op ", op, " is not known: it was taken to have one output argument"),
                     {.function = call->function}, "look at the nodes that take its outputs");
  }
  return replace_call(request, pending, function->function->name, around, std::move(body), maker,
                      at);
}

// Makes the NoOp that waits for all control outputs of a call.
Result<Node> make_hub(std::string_view call, ReplacedCall& replaced, NodeMaker& maker) {
  replaced.hub = maker.fresh.take(cat(call, "/control_outputs"));
  return maker.stored(NodeEditor(replaced.hub, "NoOp").set_inputs(replaced.controls).finish());
}

// Follows an input from call to call to a node that is there; empty for a control edge of a call
// that leaves nothing to wait for. The outputs on the way then name that node at once.
Result<std::string> rewired(std::string_view input, Inlining& of, NodeMaker& maker,
                            std::list<Node>& hubs) {
  std::string at(input);
  std::vector<std::string*> way;
  for (size_t steps = 0; steps <= of.replaced.size(); ++steps) {
    const TensorName name = parse_tensor_name(at);
    const auto call = of.replaced.find(name.node);
    if (call == of.replaced.end()) {
      for (std::string* output : way) *output = at;
      return at;
    }
    ReplacedCall& by = call->second;
    if (!name.control && name.port >= by.outputs.size()) {
      return failure("port-too-high",
                     cat("'", input, "': the call has ", by.outputs.size(), " outputs"),
                     {.node = name.node}, "validate the graph to see all its faults");
    }
    if (name.control && by.controls.empty()) return std::string();
    if (name.control && by.controls.size() > 1 && by.hub.empty()) {
      TRY(hub, make_hub(name.node, by, maker));
      hubs.push_back(hub);
    }
    if (!name.control) {
      way.push_back(&by.outputs[name.port]);
      at = *way.back();
    } else {
      at = by.hub.empty() ? by.controls.front() : cat("^", by.hub);
    }
  }
  return failure("cycle", cat("'", input, "' is in a cycle of function calls"), {},
                 "validate the graph to see all its faults");
}

// Adds a node, with inputs that were outputs of calls rewired.
Status add_node(const InlinedNode& done, Inlining& at, NodeMaker& maker, std::list<Node>& hubs,
                GraphBuilder& builder) {
  const Node& node = done.node;
  const auto is_call = [&](std::string_view input) {
    return at.replaced.contains(parse_tensor_name(input).node);
  };
  bool changed = false;
  for (const std::string_view input : node.inputs()) changed = changed || is_call(input);
  if (!changed) {
    done.fresh ? builder.add(std::string(node.bytes)) : builder.add(node);
    return Unit{};
  }
  std::vector<std::string> inputs;
  std::unordered_set<std::string> controls;
  for (const std::string_view input : node.inputs()) {
    TRY(source, rewired(input, at, maker, hubs));
    const bool again = input.starts_with('^') && !controls.insert(source).second;
    if (source.empty() || again) continue;
    CHECK_OK(maker.budget.spend(source.size(), node.name));
    inputs.push_back(std::move(source));
  }
  builder.add(NodeEditor(node).set_inputs(std::move(inputs)).finish());
  return Unit{};
}

Result<Model> inline_request(const InlineRequest& request, Diagnostics& diagnostics) {
  const Graph& graph = request.model.graph;
  NodeMaker maker(request);
  Inlining at{.gated = has_switches_or_frames(graph.nodes())};
  if (request.keeps_calls) {
    std::vector<uint32_t> outputs;
    for (const std::string_view output : request.outputs) {
      outputs.push_back(graph.index().names().find(output));
    }
    at.needed = needed_by(graph.index().edges(), outputs);
  }
  push(graph.nodes(), kNoFrame, at);
  while (!at.pending.empty()) {
    const PendingNode next = at.pending.back();
    at.pending.pop_back();
    CHECK_OK(take_node(request, next, maker, at, diagnostics));
  }
  if (at.replaced.empty()) return request.model;
  GraphBuilder builder(graph);
  std::list<Node> hubs;
  for (const InlinedNode& each : at.done) CHECK_OK(add_node(each, at, maker, hubs, builder));
  for (; !hubs.empty(); hubs.pop_front()) {
    CHECK_OK(add_node({hubs.front(), true}, at, maker, hubs, builder));
  }
  builder.add_functions_of(graph);
  Model inlined = request.model;
  inlined.graph = builder.finish();
  return inlined;
}

InlineRequest request_for(const Model& model, const OpRegistry& ops, const Ends& ends) {
  InlineRequest request{model, ops};
  for (const std::string& output : ends.outputs) {
    request.outputs.insert(parse_tensor_name(output).node);
  }
  request.keep.insert(ends.keep.begin(), ends.keep.end());
  return request;
}

OpRegistry registry_for(const Model& model, const OpRegistry* ops) {
  return ops == nullptr ? OpRegistry() : with_model_ops(model, *ops);
}

}  // namespace

Result<Model> inline_calls(const Model& model, const Ends& ends, bool keeps_calls,
                           const OpRegistry* ops, Diagnostics& diagnostics) {
  const OpRegistry registry = registry_for(model, ops);
  InlineRequest request = request_for(model, registry, ends);
  request.keeps_calls = keeps_calls;
  return inline_request(request, diagnostics);
}

Result<Model> inline_only(const Model& model, const std::vector<std::string>& calls,
                          const Ends& ends, const OpRegistry& ops, Diagnostics& diagnostics) {
  const OpRegistry registry = with_model_ops(model, ops);
  InlineRequest request = request_for(model, registry, ends);
  request.only.insert(calls.begin(), calls.end());
  return inline_request(request, diagnostics);
}

Result<Model> lower_control_flow(const Model& model, const Ends& ends, bool keeps_calls,
                                 const OpRegistry* ops, Diagnostics& diagnostics) {
  const OpRegistry registry = registry_for(model, ops);
  InlineRequest request = request_for(model, registry, ends);
  request.keeps_calls = keeps_calls;
  request.lowers = true;
  return inline_request(request, diagnostics);
}

}  // namespace cryo
