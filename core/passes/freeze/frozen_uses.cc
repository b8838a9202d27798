#include "passes/freeze/frozen_uses.h"

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"
#include "graph/added_nodes.h"
#include "graph/attr_value.h"
#include "graph/functions/function_callers.h"
#include "graph/needs.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"
#include "passes/freeze/frozen_functions.h"
#include "passes/freeze/training_switch.h"

namespace cryo {
namespace {

// Returns the number of inputs by the node's types; in a body one text may name several tensors.
uint64_t inputs_by_type(const Node& node, const FunctionCaller& caller) {
  const auto types = find_attr(node, caller.inputs);
  return caller.first + (types ? AttrValue(*types).count(AttrKind::kType) : 0);
}

// A main graph or a function's body.
struct UseScope {
  const std::vector<Node>& nodes;
  const Edges& edges;
  FrozenFunctions& functions;
  std::string_view function = {};  // whose body it is; empty: the main graph
  NodeSet outputs = NodeSet(nodes.size());
  NodeSet assigns = NodeSet(nodes.size());  // give first values
};

struct Following {
  const UseScope& in;
  FrozenUses uses = {.nodes = std::vector<FrozenUse>(in.nodes.size())};
  std::vector<FrozenUses::Tensor> queue = {};
  std::vector<uint32_t> entered = {};  // calls that were given a further value
  uint32_t variable = kNoNode;         // the one being followed
};

// A shortest way along data and control edges: "assign -> group -> logits".
std::string path_to_output(const UseScope& in, uint32_t node) {
  const auto outputs =
      nodes_where(in.nodes.size(), [&](uint32_t output) { return in.outputs[output]; });
  return path_text(in.nodes, needed_by(in.edges, outputs), node);
}

// Names the value of the training switch with which the node does not run, if there is one.
std::string way_out(const UseScope& in, uint32_t node) {
  const std::string set = value_against(in.nodes, in.edges, node);
  return cat(
      set.empty() ? std::string() : cat("switch training off: ", setting("--set", set), "; or "),
      "choose outputs that do not need it (" OPTION("--outputs", "") "), or cut there (" OPTION(
          "--inputs", "") ")");
}

// Returns the error. In a body it has only the node and the reason; the main graph adds the
// variable and the path.
Failure cannot(const Following& at, uint32_t node, std::string_view why) {
  const Node& user = at.in.nodes[node];
  const std::string what = cat(user.op, " '", user.name, "' ");
  if (!at.in.function.empty()) {
    return failure("variable-in-use", cat(what, "of function '", at.in.function, "' ", why),
                   {.function = at.in.function, .node = std::string(user.name)});
  }
  return failure(
      "variable-in-use",
      cat("the variable '", at.in.nodes[at.variable].name, "' cannot become a constant: ", what,
          why, ", and an output needs that: ", path_to_output(at.in, node)),
      {.node = user.name}, way_out(at.in, node));
}

// Returns the error of a function that cannot take values, for the node that passes variables to
// it.
Failure cannot_within(Following& at, uint32_t node, const Diagnostic& inner) {
  if (inner.code != "variable-in-use") return failure(inner);
  const FunctionCaller* caller = find_caller(at.in.nodes[node].op);
  const uint32_t place = at.in.functions.refused() + (caller != nullptr ? caller->first : 0);
  const auto given = at.uses.calls[node].inputs.find(place);
  if (given != at.uses.calls[node].inputs.end()) at.variable = given->second.variable;
  if (!at.in.function.empty()) return failure(inner);
  return failure("variable-in-use",
                 cat("the variable '", at.in.nodes[at.variable].name,
                     "' cannot become a constant: ", inner.message,
                     ", and an output needs that: ", path_to_output(at.in, node)),
                 inner.where, way_out(at.in, node));
}

// Marks a tensor as a value. Its consumers are visited once.
Status hold(Following& at, uint32_t node, uint32_t port, const HeldValue& value) {
  const auto [place, added] = at.uses.values.emplace(FrozenUses::Tensor{node, port}, value);
  if (added) at.queue.emplace_back(node, port);
  if (!(place->second.shape == value.shape)) place->second.shape = {true, {}};
  if (place->second.dtype == value.dtype) return Unit{};
  at.variable = value.variable;
  return cannot(at, node, "also hands on variables of another type");
}

Status hand_on(Following& at, const Consumer& consumer, const HeldValue& value) {
  const Node& node = at.in.nodes[consumer.node];
  at.uses.nodes[consumer.node] = {FrozenUse::kHandsOn, value.dtype};
  if (node.op == "IdentityN") return hold(at, consumer.node, consumer.input, value);
  if (node.op == "Switch") CHECK_OK(hold(at, consumer.node, 1, value));
  return hold(at, consumer.node, 0, value);
}

Status use_by_call(Following& at, const Consumer& consumer, const HeldValue& value) {
  const Node& node = at.in.nodes[consumer.node];
  const FunctionCaller* caller = find_caller(node.op);
  if (caller != nullptr && consumer.input < caller->first) {
    return cannot(at, consumer.node, "takes its handle as a number");
  }
  if (caller != nullptr && inputs_by_type(node, *caller) != count_data_inputs(node)) {
    return cannot(
        at, consumer.node,
        cat("takes its handle among others than '", caller->inputs, "' tells the types of"));
  }
  at.uses.nodes[consumer.node].kind = FrozenUse::kCall;
  at.uses.calls[consumer.node].inputs[consumer.input] = value;
  if (std::find(at.entered.begin(), at.entered.end(), consumer.node) == at.entered.end()) {
    at.entered.push_back(consumer.node);
  }
  if (caller == nullptr || !caller->loop()) return Unit{};
  at.uses.calls[consumer.node].outputs[consumer.input] = value;
  return hold(at, consumer.node, consumer.input, value);
}

Status use_handle(Following& at, const Consumer& consumer, const HeldValue& value) {
  const Node& node = at.in.nodes[consumer.node];
  FrozenUse& use = at.uses.nodes[consumer.node];
  if (node.op == "ReadVariableOp") {
    const bool added = find_attr(node, kAddedAttr).has_value() && !at.in.outputs[consumer.node];
    use.kind = added ? FrozenUse::kAddedRead : FrozenUse::kRead;
    if (added) at.uses.added_reads.emplace(node.name, at.in.nodes[at.variable].name);
  } else if (node.op == "ResourceGather" || node.op == "ResourceGatherNd") {
    use.kind = FrozenUse::kGather;
  } else if (node.op == "VariableShape") {
    use = {FrozenUse::kShape, value.dtype};
  } else if (node.op == "VarIsInitializedOp") {
    use.kind = FrozenUse::kAsksInitialised;
  } else if (is_pass_through(node.op) || node.op == "IdentityN") {
    return hand_on(at, consumer, value);
  } else if (find_caller(node.op) != nullptr || at.in.functions.has(node.op)) {
    return use_by_call(at, consumer, value);
  } else if (at.in.assigns[consumer.node]) {
    use.kind = FrozenUse::kFirstAssign;
  } else if (is_update(node.op)) {
    return cannot(at, consumer.node, "changes it");
  } else if (node.op.ends_with("Dataset") || node.op.find("DatasetV") != node.op.npos) {
    return cannot(at, consumer.node,
                  "captures it for the function of a data set, which freezing cannot rewrite "
                  "(TensorFlow's converter cannot either)");
  } else {
    return cannot(at, consumer.node, cat("takes its handle into ", node.op));
  }
  return Unit{};
}

Status follow_handles(Following& at) {
  while (!at.queue.empty()) {
    const FrozenUses::Tensor tensor = at.queue.back();
    at.queue.pop_back();
    const HeldValue value = at.uses.values.at(tensor);
    at.variable = value.variable;
    for (const Consumer& consumer : at.in.edges.consumers().of(tensor.first)) {
      if (consumer.control || consumer.port != tensor.second) continue;
      CHECK_OK(use_handle(at, consumer, value));
    }
  }
  return Unit{};
}

// Rebuilds the functions of a call for the values that it receives so far, and follows the values
// that they return.
Status enter_functions(Following& at, uint32_t node) {
  FrozenCall& call = at.uses.calls[node];
  const FunctionCaller* caller = find_caller(at.in.nodes[node].op);
  const uint32_t first = caller != nullptr ? caller->first : 0;
  std::map<uint32_t, HeldValue> args;
  for (const auto& input : call.inputs) args.emplace(input.first - first, input.second);
  call.from = caller != nullptr ? functions_of(at.in.nodes[node], *caller)
                                : std::vector<std::string_view>{at.in.nodes[node].op};
  call.to.clear();
  at.variable = call.inputs.begin()->second.variable;
  if (call.from.empty()) return cannot(at, node, "names no function that it could be handed to");
  std::map<uint32_t, DType> returns;
  for (const std::string_view name : call.from) {
    const auto frozen = at.in.functions.find(name, args);
    if (!frozen) return cannot_within(at, node, frozen.error());
    const bool condition = caller != nullptr && caller->loop() && call.to.empty();
    call.to.push_back((*frozen)->name);
    if (condition) continue;
    const bool agree = returns.empty() || returns == (*frozen)->returns;
    if (!agree) return cannot(at, node, "returns its handle in one branch and not in another");
    returns = (*frozen)->returns;
  }
  const bool loop = caller != nullptr && caller->loop();
  bool same = returns.size() == args.size();
  for (const auto& arg : args) same = same && returns.count(arg.first) > 0;
  if (loop && !same) return cannot(at, node, "does not hand it on from turn to turn");
  for (const auto& each : returns) {
    const HeldValue value{each.second, {true, {}}, at.variable};
    if (loop) continue;
    call.outputs[each.first] = value;
    CHECK_OK(hold(at, node, each.first, value));
  }
  return Unit{};
}

Status follow(Following& at) {
  CHECK_OK(follow_handles(at));
  while (!at.entered.empty()) {
    const uint32_t node = at.entered.back();
    at.entered.pop_back();
    CHECK_OK(enter_functions(at, node));
    CHECK_OK(follow_handles(at));
  }
  return Unit{};
}

Status use_reference(Following& at, const Consumer& consumer, std::vector<uint32_t>& queue) {
  const Node& node = at.in.nodes[consumer.node];
  FrozenUse& use = at.uses.nodes[consumer.node];
  if (node.op == "IsVariableInitialized") {
    use.kind = FrozenUse::kAsksInitialised;
  } else if (is_pass_through(node.op) && node.op.starts_with("Ref")) {
    if (use.kind == FrozenUse::kNone) queue.push_back(consumer.node);
    use.kind = FrozenUse::kHandsOn;
  } else if (at.in.assigns[consumer.node]) {
    use.kind = FrozenUse::kFirstAssign;
  } else if (node.op == "RefSelect") {
    return cannot(at, consumer.node, "takes references to variables, which constants do not have");
  } else if (is_update(node.op) && !(node.op.starts_with("Assign") && consumer.input > 0)) {
    return cannot(at, consumer.node, "changes it");
  }
  return Unit{};
}

Status follow_reference(Following& at, uint32_t variable) {
  at.variable = variable;
  std::vector<uint32_t> queue = {variable};
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (const Consumer& consumer : at.in.edges.consumers().of(node)) {
      if (!consumer.control) CHECK_OK(use_reference(at, consumer, queue));
    }
  }
  return Unit{};
}

// A Merge takes any of its inputs: all are values now, or none.
Status check_merges(Following& at) {
  for (uint32_t i = 0; i < at.in.nodes.size(); ++i) {
    if (at.uses.nodes[i].kind != FrozenUse::kHandsOn || !at.in.nodes[i].op.ends_with("Merge"))
      continue;
    at.variable = kNoNode;
    bool all = true;
    for (const Edge& input : data_inputs(at.in.edges, i)) {
      const HeldValue* value = at.uses.held(input);
      const FrozenUse::Kind kind = at.uses.nodes[input.node].kind;
      const bool known =
          value != nullptr || kind == FrozenUse::kVariable || kind == FrozenUse::kHandsOn;
      if (known) at.variable = value != nullptr ? value->variable : input.node;
      all = all && known;
    }
    if (!all) return cannot(at, i, "may hand on a variable instead that stays one");
  }
  return Unit{};
}

}  // namespace

const HeldValue* FrozenUses::held(const Edge& tensor) const {
  const auto found = values.find({tensor.node, tensor.port});
  return tensor.control || found == values.end() ? nullptr : &found->second;
}

Result<FrozenUses> uses_of_variables(const GraphIndex& graph,
                                     const std::vector<std::string>& outputs,
                                     const std::unordered_set<std::string>& assigns,
                                     const std::unordered_set<std::string>& stay,
                                     FrozenFunctions& functions) {
  const std::vector<Node>& nodes = graph.nodes();
  UseScope in{nodes, graph.edges(), functions};
  for (const std::string& assign : assigns) {
    const uint32_t node = graph.names().find(assign);
    if (node != kNoNode) in.assigns[node] = true;
  }
  for (const std::string& output : outputs) {
    const uint32_t node = graph.names().find(parse_tensor_name(output).node);
    if (node != kNoNode) in.outputs[node] = true;
  }
  Following at{in};
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!is_variable(nodes[i].op) || stay.count(std::string(nodes[i].name)) > 0) continue;
    at.uses.nodes[i].kind = FrozenUse::kVariable;
    if (!is_resource_variable(nodes[i].op)) {
      CHECK_OK(follow_reference(at, i));
      continue;
    }
    const auto dtype = static_cast<DType>(type_attr(nodes[i], "dtype").value_or(0));
    CHECK_OK(hold(at, i, 0, {dtype, output_shape(nodes[i], 0), i}));
  }
  CHECK_OK(follow(at));
  if (!stay.empty()) CHECK_OK(check_merges(at));
  return std::move(at.uses);
}

Result<FrozenUses> uses_of_arguments(const FunctionBody& body, std::string_view function,
                                     const std::map<uint32_t, HeldValue>& args,
                                     FrozenFunctions& functions, uint32_t& refused) {
  const UseScope in{body.nodes, body.edges, functions, function};
  Following at{in};
  const auto follow_all = [&]() -> Status {
    for (const auto& [arg, value] : args) {
      CHECK_OK(hold(at, arg, 0, {value.dtype, {true, {}}, arg}));
    }
    return follow(at);
  };
  Status followed = follow_all();
  if (followed) return std::move(at.uses);
  refused = at.variable;
  return std::move(followed).failure();
}

}  // namespace cryo
