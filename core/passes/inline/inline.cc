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

class Inliner {
 public:
  Inliner(const Model& model, const OpRegistry& registry, const Ends& ends, bool keeps_calls,
          bool lowers, Diagnostics& diagnostics, const std::vector<std::string>& only = {})
      : model_(model),
        lowers_(lowers),
        only_(only.begin(), only.end()),
        leaves_calls_(keeps_calls),
        library_(model.graph),
        ops_(registry, library_),
        diagnostics_(diagnostics),
        names_(model.graph.index().names()),
        fresh_(names_),
        budget_(model.graph) {
    for (const std::string& each : ends.outputs) outputs_.insert(parse_tensor_name(each).node);
    keep_.insert(ends.keep.begin(), ends.keep.end());
  }

  Result<Model> run();

 private:
  // A node that may be a call; `frame`: the call whose body it comes from.
  struct Pending {
    Node node;
    uint32_t frame;
  };
  struct Done {
    Node node;
    bool fresh;  // not of the model's own graph
  };
  struct Frame {
    std::string_view function;  // empty: the nodes of lowered control flow
    uint32_t parent;
    bool gated;
  };
  struct Replaced {
    std::vector<std::string> outputs;
    std::vector<std::string> controls;
    std::string hub = {};  // a NoOp after all of `controls`, made on demand
  };

  void push(const std::vector<Node>& nodes, uint32_t frame);
  Status take(const Pending& pending);
  Status expand(const Pending& pending, const FunctionCall& call, const LibraryFunction& function);
  Status replace(const Pending& pending, std::string_view function, bool around, CallBody body);
  bool inlines(const Pending& pending) const;
  Status check_recursion(const Pending& pending, std::string_view function) const;
  bool stays(const Node& node, const LibraryFunction& function) const;
  void keep_name(const Node& node, const CallBody& body);
  Status add(GraphBuilder& builder, const Done& done);
  Result<std::string> rewired(std::string_view input);
  Result<Node> stored(std::string node_def);

  const Model& model_;
  const bool lowers_;                                // control flow
  const std::unordered_set<std::string_view> only_;  // these calls; empty: all
  const bool leaves_calls_;  // but those that lowering makes, or that only loading needs
  const Library library_;
  KnownOps ops_;
  Diagnostics& diagnostics_;
  const NodeNames& names_;
  FreshNames fresh_;
  GrowthBudget budget_;
  std::unordered_set<std::string_view> outputs_;
  std::unordered_set<std::string_view> keep_;
  std::list<std::string> storage_;
  std::vector<Frame> frames_;
  bool gated_ = false;            // the main graph has switches or frames
  std::vector<uint32_t> needed_;  // of the main graph, by whom, for the outputs (graph/needs.h)
  std::vector<Pending> pending_;  // a stack: the next node last
  std::vector<Done> done_;
  std::unordered_map<std::string_view, Replaced> replaced_;  // by the call's name
  std::list<Node> hubs_;
};

Result<Node> Inliner::stored(std::string node_def) {
  storage_.push_back(std::move(node_def));
  return scan_node(storage_.back());
}

void Inliner::push(const std::vector<Node>& nodes, uint32_t frame) {
  for (size_t i = nodes.size(); i-- > 0;) pending_.push_back({nodes[i], frame});
}

Status Inliner::check_recursion(const Pending& pending, std::string_view function) const {
  for (uint32_t at = pending.frame; at != kNoFrame; at = frames_[at].parent) {
    if (frames_[at].function != function) continue;
    return failure("recursive-function",
                   cat("function '", function, "' calls itself, by '", pending.node.name, "'"),
                   {.function = function, .node = std::string(pending.node.name)},
                   "choose outputs that do not need it (" OPTION("--outputs", "") ")");
  }
  return Unit{};
}

// Returns true for a call that XLA must compile: its body may use ops that run nowhere else.
bool Inliner::stays(const Node& node, const LibraryFunction& function) const {
  constexpr std::string_view kCompiled = "_XlaMustCompile";
  if (bool_attr(node, kCompiled).value_or(false)) return true;
  const auto compiled = find_attr(*function.function, kCompiled);
  return compiled && AttrValue(*compiled).number() != 0;
}

// An output that was a call is still there by its name, and gives the same tensors.
void Inliner::keep_name(const Node& node, const CallBody& body) {
  const bool one = body.outputs.size() == 1;
  NodeEditor editor(node.name, one ? "Identity" : "IdentityN");
  editor.set_inputs(body.outputs).set_device(device_of(node));
  if (one) editor.set_attr("T", type_value(body.types.front()));
  if (!one) editor.set_attr("T", type_list_value(body.types));
  if (body.outputs.empty()) {
    editor = NodeEditor(node.name, "NoOp");
    editor.set_inputs(body.controls);
  }
  if (auto kept = stored(editor.finish())) done_.push_back({*kept, true});
}

Status Inliner::expand(const Pending& pending, const FunctionCall& call,
                       const LibraryFunction& function) {
  CHECK_OK(check_recursion(pending, call.function));
  const bool around = pending.frame == kNoFrame ? gated_ : frames_[pending.frame].gated;
  TRY(body, body_of_call(pending.node, call, function, ops_, fresh_, budget_, around));
  for (const std::string& op : body.assumed) {
    diagnostics_.warn("op-assumed",
                      cat("op ", op, " is not known: it was taken to have one output argument"),
                      {.function = call.function}, "look at the nodes that take its outputs");
  }
  return replace(pending, function.function->name, around, std::move(body));
}

// `around`: switches or frames stand around the node.
Status Inliner::replace(const Pending& pending, std::string_view function, bool around,
                        CallBody body) {
  std::vector<Node> nodes;
  for (std::string& each : body.nodes) {
    TRY(node, stored(std::move(each)));
    nodes.push_back(node);
  }
  const bool gated = around || has_switches_or_frames(nodes);
  frames_.push_back({function, pending.frame, gated});
  if (outputs_.contains(pending.node.name)) {
    keep_name(pending.node, body);
  } else if (keep_.contains(pending.node.name)) {
    TRY(after, stored(NodeEditor(pending.node.name, "NoOp").set_inputs(body.controls).finish()));
    done_.push_back({after, true});
  }
  push(nodes, static_cast<uint32_t>(frames_.size() - 1));
  replaced_.emplace(pending.node.name, Replaced{std::move(body.outputs), std::move(body.controls)});
  return Unit{};
}

// Follows an input from call to call to a node that is there; empty for a control edge of a call
// that leaves nothing to wait for. The outputs on the way then name that node at once.
Result<std::string> Inliner::rewired(std::string_view input) {
  std::string at(input);
  std::vector<std::string*> way;
  for (size_t steps = 0; steps <= replaced_.size(); ++steps) {
    const TensorName name = parse_tensor_name(at);
    const auto call = replaced_.find(name.node);
    if (call == replaced_.end()) {
      for (std::string* output : way) *output = at;
      return at;
    }
    Replaced& by = call->second;
    if (!name.control && name.port >= by.outputs.size()) {
      return failure("port-too-high",
                     cat("'", input, "': the call has ", by.outputs.size(), " outputs"),
                     {.node = name.node}, "validate the graph to see all its faults");
    }
    if (name.control && by.controls.empty()) return std::string();
    if (name.control && by.controls.size() > 1 && by.hub.empty()) {
      by.hub = fresh_.take(cat(name.node, "/control_outputs"));
      NodeEditor hub(by.hub, "NoOp");
      TRY(node, stored(hub.set_inputs(by.controls).finish()));
      hubs_.push_back(node);
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

Status Inliner::add(GraphBuilder& builder, const Done& done) {
  const Node& node = done.node;
  const auto is_call = [&](std::string_view input) {
    return replaced_.contains(parse_tensor_name(input).node);
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
    TRY(source, rewired(input));
    const bool again = input.starts_with('^') && !controls.insert(source).second;
    if (source.empty() || again) continue;
    CHECK_OK(budget_.spend(source.size(), node.name));
    inputs.push_back(std::move(source));
  }
  builder.add(NodeEditor(node).set_inputs(std::move(inputs)).finish());
  return Unit{};
}

bool Inliner::inlines(const Pending& pending) const {
  if (!only_.empty()) return pending.frame == kNoFrame && only_.contains(pending.node.name);
  if (!leaves_calls_) return true;
  if (pending.frame != kNoFrame) return !lowers_ || frames_[pending.frame].function.empty();
  return !lowers_ && needed_[names_.find(pending.node.name)] == kNoNode;
}

Status Inliner::take(const Pending& pending) {
  const Node& node = pending.node;
  if (lowers_ && is_functional_control_flow(node.op)) {
    TRY(plain, lowered(node, library_, fresh_, budget_, *model_.payloads));
    return replace(pending, {}, true, std::move(plain));
  }
  const auto call = call_of(node, ops_.find(node.op), nullptr);
  const LibraryFunction* function = call ? library_.find(call->function) : nullptr;
  if (function == nullptr || !inlines(pending) || stays(node, *function)) {
    done_.push_back({node, pending.frame != kNoFrame});
    return Unit{};
  }
  return expand(pending, *call, *function);
}

Result<Model> Inliner::run() {
  gated_ = has_switches_or_frames(model_.graph.nodes());
  if (leaves_calls_) {
    std::vector<uint32_t> outputs;
    for (const std::string_view output : outputs_) outputs.push_back(names_.find(output));
    needed_ = needed_by(model_.graph.index().edges(), outputs);
  }
  push(model_.graph.nodes(), kNoFrame);
  while (!pending_.empty()) {
    const Pending next = pending_.back();
    pending_.pop_back();
    CHECK_OK(take(next));
  }
  if (replaced_.empty()) return model_;
  GraphBuilder builder(model_.graph);
  for (const Done& each : done_) CHECK_OK(add(builder, each));
  for (; !hubs_.empty(); hubs_.pop_front()) CHECK_OK(add(builder, {hubs_.front(), true}));
  builder.add_functions_of(model_.graph);
  Model inlined = model_;
  inlined.graph = builder.finish();
  return inlined;
}

OpRegistry registry_for(const Model& model, const OpRegistry* ops) {
  return ops == nullptr ? OpRegistry() : with_model_ops(model, *ops);
}

}  // namespace

Result<Model> inline_calls(const Model& model, const Ends& ends, bool keeps_calls,
                           const OpRegistry* ops, Diagnostics& diagnostics) {
  const OpRegistry registry = registry_for(model, ops);
  return Inliner(model, registry, ends, keeps_calls, false, diagnostics).run();
}

Result<Model> inline_only(const Model& model, const std::vector<std::string>& calls,
                          const Ends& ends, const OpRegistry& ops, Diagnostics& diagnostics) {
  const OpRegistry registry = with_model_ops(model, ops);
  return Inliner(model, registry, ends, false, false, diagnostics, calls).run();
}

Result<Model> lower_control_flow(const Model& model, const Ends& ends, bool keeps_calls,
                                 const OpRegistry* ops, Diagnostics& diagnostics) {
  const OpRegistry registry = registry_for(model, ops);
  return Inliner(model, registry, ends, keeps_calls, true, diagnostics).run();
}

}  // namespace cryo
