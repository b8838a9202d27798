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
#include "passes/freeze/frozen_functions.h"
#include "passes/freeze/training_switch.h"

namespace cryo {
namespace {

// Returns the number of inputs by the node's types; in a body one text may name several tensors.
uint64_t inputs_by_type(const Node& node, const FunctionCaller& caller) {
  const auto types = find_attr(node, caller.inputs);
  return caller.first + (types ? AttrValue(*types).count(AttrKind::kType) : 0);
}

}  // namespace

FrozenUses::FrozenUses(const std::vector<Node>& nodes, const NodeNames& names, const Edges& edges,
                       FrozenFunctions& functions, std::string_view function)
    : nodes_(nodes),
      names_(names),
      edges_(edges),
      functions_(functions),
      function_(function),
      consumers_(edges.consumers()),
      uses_(nodes.size()),
      outputs_(nodes.size(), false),
      assigns_(nodes.size(), false) {}

Status FrozenUses::find(const std::vector<std::string>& outputs,
                        const std::unordered_set<std::string>& assigns,
                        const std::unordered_set<std::string>& stay) {
  for (const std::string& assign : assigns) {
    const uint32_t node = names_.find(assign);
    if (node != kNoNode) assigns_[node] = true;
  }
  for (const std::string& output : outputs) {
    const uint32_t node = names_.find(parse_tensor_name(output).node);
    if (node != kNoNode) outputs_[node] = true;
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!is_variable(nodes_[i].op) || stay.count(std::string(nodes_[i].name)) > 0) continue;
    uses_[i].kind = FrozenUse::kVariable;
    if (!is_resource_variable(nodes_[i].op)) {
      CHECK_OK(follow_reference(i));
      continue;
    }
    const auto dtype = static_cast<DType>(type_attr(nodes_[i], "dtype").value_or(0));
    CHECK_OK(hold(i, 0, {dtype, output_shape(nodes_[i], 0), i}));
  }
  CHECK_OK(follow());
  return stay.empty() ? Status(Unit{}) : check_merges();
}

// A Merge takes any of its inputs: all are values now, or none.
Status FrozenUses::check_merges() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (uses_[i].kind != FrozenUse::kHandsOn || !nodes_[i].op.ends_with("Merge")) continue;
    variable_ = kNoNode;
    bool all = true;
    for (const Edge& input : edges_.inputs(i)) {
      if (input.control || input.node == kNoNode) continue;
      const HeldValue* value = held(input);
      const FrozenUse::Kind kind = uses_[input.node].kind;
      const bool known =
          value != nullptr || kind == FrozenUse::kVariable || kind == FrozenUse::kHandsOn;
      if (known) variable_ = value != nullptr ? value->variable : input.node;
      all = all && known;
    }
    if (!all) return cannot(i, "may hand on a variable instead that stays one");
  }
  return Unit{};
}

Status FrozenUses::find(const std::map<uint32_t, HeldValue>& args) {
  for (const auto& arg : args) {
    CHECK_OK(hold(arg.first, 0, {arg.second.dtype, {true, {}}, arg.first}));
  }
  return follow();
}

const HeldValue* FrozenUses::held(const Edge& tensor) const {
  const auto found = held_.find({tensor.node, tensor.port});
  return tensor.control || found == held_.end() ? nullptr : &found->second;
}

// Marks a tensor as a value. Its consumers are visited once.
Status FrozenUses::hold(uint32_t node, uint32_t port, const HeldValue& value) {
  const auto [place, added] = held_.emplace(Tensor{node, port}, value);
  if (added) queue_.emplace_back(node, port);
  if (!(place->second.shape == value.shape)) place->second.shape = {true, {}};
  if (place->second.dtype == value.dtype) return Unit{};
  variable_ = value.variable;
  return cannot(node, "also hands on variables of another type");
}

Status FrozenUses::follow() {
  CHECK_OK(follow_handles());
  while (!entered_.empty()) {
    const uint32_t node = entered_.back();
    entered_.pop_back();
    CHECK_OK(enter_functions(node));
    CHECK_OK(follow_handles());
  }
  return Unit{};
}

Status FrozenUses::follow_handles() {
  while (!queue_.empty()) {
    const Tensor tensor = queue_.back();
    queue_.pop_back();
    const HeldValue value = held_.at(tensor);
    variable_ = value.variable;
    for (const Consumer& consumer : consumers_.of(tensor.first)) {
      if (consumer.control || consumer.port != tensor.second) continue;
      CHECK_OK(use_handle(consumer, value));
    }
  }
  return Unit{};
}

Status FrozenUses::use_handle(const Consumer& consumer, const HeldValue& value) {
  const Node& node = nodes_[consumer.node];
  FrozenUse& use = uses_[consumer.node];
  if (node.op == "ReadVariableOp") {
    const bool added = find_attr(node, kAddedAttr).has_value() && !outputs_[consumer.node];
    use.kind = added ? FrozenUse::kAddedRead : FrozenUse::kRead;
    if (added) added_reads_.emplace(node.name, nodes_[variable_].name);
  } else if (node.op == "ResourceGather" || node.op == "ResourceGatherNd") {
    use.kind = FrozenUse::kGather;
  } else if (node.op == "VariableShape") {
    use = {FrozenUse::kShape, value.dtype};
  } else if (node.op == "VarIsInitializedOp") {
    use.kind = FrozenUse::kAsksInitialised;
  } else if (is_pass_through(node.op) || node.op == "IdentityN") {
    return hand_on(consumer, value);
  } else if (find_caller(node.op) != nullptr || functions_.has(node.op)) {
    return use_by_call(consumer, value);
  } else if (assigns_[consumer.node]) {
    use.kind = FrozenUse::kFirstAssign;
  } else if (is_update(node.op)) {
    return cannot(consumer.node, "changes it");
  } else if (node.op.ends_with("Dataset") || node.op.find("DatasetV") != node.op.npos) {
    return cannot(consumer.node,
                  "captures it for the function of a data set, which freezing cannot rewrite "
                  "(TensorFlow's converter cannot either)");
  } else {
    return cannot(consumer.node, cat("takes its handle into ", node.op));
  }
  return Unit{};
}

Status FrozenUses::hand_on(const Consumer& consumer, const HeldValue& value) {
  const Node& node = nodes_[consumer.node];
  uses_[consumer.node] = {FrozenUse::kHandsOn, value.dtype};
  if (node.op == "IdentityN") return hold(consumer.node, consumer.input, value);
  if (node.op == "Switch") CHECK_OK(hold(consumer.node, 1, value));
  return hold(consumer.node, 0, value);
}

Status FrozenUses::use_by_call(const Consumer& consumer, const HeldValue& value) {
  const Node& node = nodes_[consumer.node];
  const FunctionCaller* caller = find_caller(node.op);
  if (caller != nullptr && consumer.input < caller->first) {
    return cannot(consumer.node, "takes its handle as a number");
  }
  if (caller != nullptr && inputs_by_type(node, *caller) != count_data_inputs(node)) {
    return cannot(consumer.node, cat("takes its handle among others than '", caller->inputs,
                                     "' tells the types of"));
  }
  uses_[consumer.node].kind = FrozenUse::kCall;
  calls_[consumer.node].inputs[consumer.input] = value;
  if (std::find(entered_.begin(), entered_.end(), consumer.node) == entered_.end()) {
    entered_.push_back(consumer.node);
  }
  if (caller == nullptr || !caller->loop()) return Unit{};
  calls_[consumer.node].outputs[consumer.input] = value;
  return hold(consumer.node, consumer.input, value);
}

// Rebuilds the functions of a call for the values that it receives so far, and follows the values
// that they return.
Status FrozenUses::enter_functions(uint32_t node) {
  FrozenCall& call = calls_[node];
  const FunctionCaller* caller = find_caller(nodes_[node].op);
  const uint32_t first = caller != nullptr ? caller->first : 0;
  std::map<uint32_t, HeldValue> args;
  for (const auto& input : call.inputs) args.emplace(input.first - first, input.second);
  call.from = caller != nullptr ? functions_of(nodes_[node], *caller)
                                : std::vector<std::string_view>{nodes_[node].op};
  call.to.clear();
  variable_ = call.inputs.begin()->second.variable;
  if (call.from.empty()) return cannot(node, "names no function that it could be handed to");
  std::map<uint32_t, DType> returns;
  for (const std::string_view name : call.from) {
    const auto frozen = functions_.find(name, args);
    if (!frozen) return cannot_within(node, frozen.error());
    const bool condition = caller != nullptr && caller->loop() && call.to.empty();
    call.to.push_back((*frozen)->name);
    if (condition) continue;
    const bool agree = returns.empty() || returns == (*frozen)->returns;
    if (!agree) return cannot(node, "returns its handle in one branch and not in another");
    returns = (*frozen)->returns;
  }
  const bool loop = caller != nullptr && caller->loop();
  bool same = returns.size() == args.size();
  for (const auto& arg : args) same = same && returns.count(arg.first) > 0;
  if (loop && !same) return cannot(node, "does not hand it on from turn to turn");
  for (const auto& each : returns) {
    const HeldValue value{each.second, {true, {}}, variable_};
    if (loop) continue;
    call.outputs[each.first] = value;
    CHECK_OK(hold(node, each.first, value));
  }
  return Unit{};
}

Status FrozenUses::follow_reference(uint32_t variable) {
  variable_ = variable;
  std::vector<uint32_t> queue = {variable};
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (const Consumer& consumer : consumers_.of(node)) {
      if (!consumer.control) CHECK_OK(use_reference(consumer, queue));
    }
  }
  return Unit{};
}

Status FrozenUses::use_reference(const Consumer& consumer, std::vector<uint32_t>& queue) {
  const Node& node = nodes_[consumer.node];
  FrozenUse& use = uses_[consumer.node];
  if (node.op == "IsVariableInitialized") {
    use.kind = FrozenUse::kAsksInitialised;
  } else if (is_pass_through(node.op) && node.op.starts_with("Ref")) {
    if (use.kind == FrozenUse::kNone) queue.push_back(consumer.node);
    use.kind = FrozenUse::kHandsOn;
  } else if (assigns_[consumer.node]) {
    use.kind = FrozenUse::kFirstAssign;
  } else if (node.op == "RefSelect") {
    return cannot(consumer.node, "takes references to variables, which constants do not have");
  } else if (is_update(node.op) && !(node.op.starts_with("Assign") && consumer.input > 0)) {
    return cannot(consumer.node, "changes it");
  }
  return Unit{};
}

// Returns the error. In a body it has only the node and the reason; the main graph adds the
// variable and the path.
Failure FrozenUses::cannot(uint32_t node, std::string_view why) const {
  const std::string what = cat(nodes_[node].op, " '", nodes_[node].name, "' ");
  if (!function_.empty()) {
    return failure("variable-in-use", cat(what, "of function '", function_, "' ", why),
                   {.function = function_, .node = std::string(nodes_[node].name)});
  }
  return failure("variable-in-use",
                 cat("the variable '", nodes_[variable_].name, "' cannot become a constant: ", what,
                     why, ", and an output needs that: ", path_to_output(node)),
                 {.node = nodes_[node].name}, way_out(node));
}

// Names the value of the training switch with which the node does not run, if there is one.
std::string FrozenUses::way_out(uint32_t node) const {
  const std::string set = value_against(nodes_, edges_, node);
  return cat(
      set.empty() ? std::string() : cat("switch training off: ", setting("--set", set), "; or "),
      "choose outputs that do not need it (" OPTION("--outputs", "") "), or cut there (" OPTION(
          "--inputs", "") ")");
}

// Returns the error of a function that cannot take values, for the node that passes variables to
// it.
Failure FrozenUses::cannot_within(uint32_t node, const Diagnostic& inner) {
  if (inner.code != "variable-in-use") return failure(inner);
  const FunctionCaller* caller = find_caller(nodes_[node].op);
  const uint32_t place = functions_.refused() + (caller != nullptr ? caller->first : 0);
  const auto given = calls_[node].inputs.find(place);
  if (given != calls_[node].inputs.end()) variable_ = given->second.variable;
  if (!function_.empty()) return failure(inner);
  return failure("variable-in-use",
                 cat("the variable '", nodes_[variable_].name, "' cannot become a constant: ",
                     inner.message, ", and an output needs that: ", path_to_output(node)),
                 inner.where, way_out(node));
}

// A shortest way along data and control edges: "assign -> group -> logits".
std::string FrozenUses::path_to_output(uint32_t node) const {
  std::vector<uint32_t> outputs;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (outputs_[i]) outputs.push_back(i);
  }
  return path_text(nodes_, needed_by(edges_, outputs), node);
}

std::string_view FrozenUses::variable_of_added_read(std::string_view name) const {
  const auto found = added_reads_.find(name);
  return found == added_reads_.end() ? std::string_view() : found->second;
}

}  // namespace cryo
