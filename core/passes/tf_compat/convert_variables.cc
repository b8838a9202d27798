#include "passes/tf_compat/convert_variables.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "passes/tf_compat/retyped_function.h"
#include "passes/tf_compat/session_caller.h"
#include "passes/tf_compat/sub_graph.h"
#include "tensor/python_tensor.h"

namespace cryo {
namespace {

bool hands_on(std::string_view op) {
  return op == "Enter" || op == "Exit" || op == "Identity" || op == "NextIteration" ||
         op == "Switch" || op == "_SwitchN";
}

bool is_holder(std::string_view op) {
  return op == "VariableV2" || op == "VarHandleOp" || op == "Placeholder";
}

// An input of a body that names a read's only output, which Identity calls otherwise.
std::string as_identity(const std::string& input) {
  const size_t from = input.find(':');
  if (from == input.npos) return input;
  const std::string rest = input.substr(from + 1);
  const bool value = rest == "value" || rest.starts_with("value:");
  return value ? cat(input.substr(0, from), ":output", rest.substr(5)) : input;
}

}  // namespace

SessionFreeze::SessionFreeze(const Model& model) : model_(model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  bodies_.push_back({nullptr, 0, nodes, model.graph.index().consumers()});
  for (const Function& each : model.graph.functions()) functions_.emplace(each.name, &each);
}

Result<uint32_t> SessionFreeze::body_of(std::string_view function) {
  const auto known = body_of_.find(function);
  if (known != body_of_.end()) return known->second;
  const auto found = functions_.find(function);
  if (found == functions_.end()) {
    return tensorflow_fails(
        cat("KeyError: '", function, "', a function that is not in the library"));
  }
  const Function& of = *found->second;
  TRY(view, resolve_body(of));
  const auto index = static_cast<uint32_t>(bodies_.size());
  bodies_.push_back(
      {&of, static_cast<uint32_t>(view.arg_count), std::move(view.nodes), view.edges.consumers()});
  body_of_.emplace(of.name, index);
  return index;
}

// The node as it is to be; that makes its function a new one.
NodeEditor& SessionFreeze::edit(uint32_t body, uint32_t node) {
  Body& in = bodies_[body];
  in.converted = true;
  return in.edited.try_emplace(node, in.nodes[node]).first->second;
}

NodeEditor& SessionFreeze::edit_anew(const Visit& visit, std::string_view op) {
  return edit(visit.body, visit.node) = NodeEditor(node_of(visit).name, op);
}

// A caller's functions get their new names once, when the caller is changed for the first time.
void SessionFreeze::settle(uint32_t body, uint32_t node) {
  const FunctionCaller* caller = find_session_caller(bodies_[body].nodes[node].op);
  if (caller == nullptr) return;
  const auto [settled, first] = bodies_[body].settled.try_emplace(node);
  if (!first) return;
  for (const std::string_view attr : session_functions(*caller)) {
    for (const std::string& name : functions_in(bodies_[body].nodes[node], attr)) {
      const auto of = body_of_.find(name);
      if (of != body_of_.end() && bodies_[of->second].converted) settled->second.push_back(name);
    }
  }
}

// All that takes an output of the node.
void SessionFreeze::follow(Visit& visit) const {
  for (const Consumer& consumer : bodies_[visit.body].consumers.of(visit.node)) {
    if (!consumer.control) visit.targets.push_back({visit.body, consumer.node, consumer.input});
  }
}

Status SessionFreeze::retype(const Visit& visit, std::string_view attr, uint32_t place,
                             DType dtype) {
  NodeEditor& editor = edit(visit.body, visit.node);
  const std::string* value = editor.attr(attr);
  const AttrValue old(value == nullptr ? std::string_view() : *value);
  std::vector<int> types;
  if (!old.is_list() && old.kind() == AttrKind::kType) types.push_back(static_cast<int>(dtype));
  old.each_number(AttrKind::kType,
                  [&](int64_t number) { types.push_back(static_cast<int>(number)); });
  if (place >= types.size()) {
    const std::string name(node_of(visit).name);
    return tensorflow_fails(cat("`index` ", place, " is out of range for node(", name, ").attr(",
                                attr, "), which has ", types.size(), " elements."),
                            name);
  }
  types[place] = static_cast<int>(dtype);
  editor.set_attr(attr, old.is_list() ? type_list_value(types) : type_value(types[0]));
  return Unit{};
}

Status SessionFreeze::constant(Visit& visit, const Tensor& value) {
  TRY(tensor, python_tensor(value.dtype, value.shape, value.content, *model_.payloads));
  edit_anew(visit, "Const")
      .set_attr("dtype", type_value(value.dtype))
      .set_attr("value", tensor_value(tensor));
  follow(visit);
  return Unit{};
}

Status SessionFreeze::read(const Visit& visit) {
  const Node& node = node_of(visit);
  const std::string input(*node.inputs().begin());
  const std::string type(find_attr(node, "dtype").value_or(""));
  NodeEditor& editor = edit_anew(visit, "Identity").add_input(input).set_attr("T", type);
  if (const auto at = find_attr(node, "_class")) editor.set_attr("_class", std::string(*at));
  if (bodies_[visit.body].function == nullptr) return Unit{};
  for (const Consumer& consumer : bodies_[visit.body].consumers.of(visit.node)) {
    if (consumer.control) continue;
    settle(visit.body, consumer.node);
    std::vector<std::string>& inputs = edit(visit.body, consumer.node).inputs();
    // A node that became another op may have fewer inputs by now.
    if (consumer.input >= inputs.size()) return tensorflow_fails("list index out of range");
    inputs[consumer.input] = as_identity(inputs[consumer.input]);
  }
  return Unit{};
}

// ResourceGather becomes GatherV2, whose axis is a constant behind all nodes. In functions
// TensorFlow leaves it alone.
Status SessionFreeze::gather(const Visit& visit) {
  if (bodies_[visit.body].function != nullptr) return Unit{};
  const Node& node = node_of(visit);
  const std::string name(node.name);
  const int64_t batch_dims = int_attr(node, "batch_dims").value_or(0);
  if (batch_dims != 0) {
    return tensorflow_fails(cat("batch_dims must be 0 for freeze_graph, but got node(", name,
                                ").attr('batch_dims') = ", batch_dims, "."),
                            name);
  }
  gather_nd(visit);
  const std::string axis = cat(name, "/axis");
  const DType type = static_cast<DType>(type_attr(node, "Tindices").value_or(0));
  const DTypeInfo* info = find_dtype(type);
  const Splice zero(fresh(std::string(info == nullptr ? 4 : info->size, '\0')));
  TRY(tensor, python_tensor(type, Shape{}, zero, *model_.payloads));
  edit(visit.body, visit.node)
      .set_op("GatherV2")
      .add_input(axis)
      .set_attr("Taxis", type_value(type));
  std::string made = constant_node(axis, type, tensor).finish();
  std::vector<std::string>& added = bodies_[visit.body].added;
  if (std::find(added.begin(), added.end(), made) == added.end()) added.push_back(std::move(made));
  return Unit{};
}

void SessionFreeze::gather_nd(const Visit& visit) {
  const Node& node = node_of(visit);
  NodeEditor& editor = edit_anew(visit, "GatherNd");
  for (const std::string_view input : node.inputs()) {
    if (editor.inputs().size() < 2) editor.add_input(input);
  }
  editor.set_attr("Tparams", std::string(find_attr(node, "dtype").value_or("")));
  editor.set_attr("Tindices", std::string(find_attr(node, "Tindices").value_or("")));
  if (const auto at = find_attr(node, "_class")) editor.set_attr("_class", std::string(*at));
}

// The arguments that an input is, of each function that the node calls.
Status SessionFreeze::enter_functions(Visit& visit) {
  const Node& node = node_of(visit);
  const FunctionCaller& caller = *find_session_caller(node.op);
  if (visit.input < caller.first) return Unit{};
  for (const std::string_view attr : session_functions(caller)) {
    for (const std::string& name : functions_in(node, attr)) {
      TRY(body, body_of(name));
      const uint32_t arg = visit.input - caller.first;
      if (arg >= bodies_[body].arg_count) return tensorflow_fails("list index out of range", name);
      visit.targets.push_back({body, arg, 0});
    }
  }
  return Unit{};
}

Status SessionFreeze::leave_caller(const Visit& visit, const Tensor& value) {
  const FunctionCaller& caller = *find_session_caller(node_of(visit).op);
  settle(visit.body, visit.node);
  edit(visit.body, visit.node);
  if (visit.input >= caller.first) {
    CHECK_OK(retype(visit, caller.inputs, visit.input - caller.first, value.dtype));
  }
  if (caller.loop()) leave_loop(visit, value);
  return Unit{};
}

// A loop's variable has the constant's shape, and its body returns the type that it takes.
void SessionFreeze::leave_loop(const Visit& visit, const Tensor& value) {
  NodeEditor& editor = edit(visit.body, visit.node);
  const std::string* shapes = editor.attr("output_shapes");
  const std::string old = shapes == nullptr ? std::string() : *shapes;
  editor.set_attr("output_shapes", with_shape(old, visit.input, value.shape).value_or(old));
  for (const std::string& name : functions_in(node_of(visit), "body")) {
    const auto body = body_of_.find(name);
    if (body == body_of_.end()) continue;
    bodies_[body->second].returns[visit.input] = value.dtype;
  }
}

Status SessionFreeze::enter(Visit& visit, const Tensor& value) {
  const Body& body = bodies_[visit.body];
  const std::string_view op = node_of(visit).op;
  if (visit.node < body.arg_count) {
    follow(visit);
  } else if (is_holder(op)) {
    return constant(visit, value);
  } else if (hands_on(op)) {
    CHECK_OK(retype(visit, "T", visit.input, value.dtype));
    edit(visit.body, visit.node).erase_attr("_output_shapes");
    follow(visit);
  } else if (op == "ReadVariableOp") {
    return read(visit);
  } else if (op == "ResourceGather") {
    return gather(visit);
  } else if (op == "ResourceGatherNd") {
    gather_nd(visit);
  } else if (find_session_caller(op) != nullptr) {
    return enter_functions(visit);
  }
  return Unit{};
}

Status SessionFreeze::leave(const Visit& visit, const Tensor& value) {
  Body& body = bodies_[visit.body];
  if (visit.node < body.arg_count) {
    body.converted = true;
    body.args[visit.node] = value.dtype;
  } else if (find_session_caller(node_of(visit).op) != nullptr) {
    return leave_caller(visit, value);
  }
  return Unit{};
}

Status SessionFreeze::convert(uint32_t variable, const Tensor& value) {
  std::map<std::array<uint32_t, 3>, bool> left;  // every place that was come to
  std::vector<Visit> path;
  const auto come = [&](Visit visit) -> Status {
    const auto [at, first] = left.try_emplace({visit.body, visit.node, visit.input}, false);
    if (first) {
      CHECK_OK(enter(visit, value));
      path.push_back(std::move(visit));
    } else if (!at->second) {
      const std::string name(node_of(visit).name);
      return tensorflow_fails(cat("RecursionError: a variable's value comes back to '", name, "'"),
                              name);
    }
    return Unit{};
  };
  CHECK_OK(come({0, variable, 0}));
  while (!path.empty()) {
    Visit& last = path.back();
    if (last.next < last.targets.size()) {
      CHECK_OK(come(last.targets[last.next++]));
      continue;
    }
    CHECK_OK(leave(last, value));
    left[{last.body, last.node, last.input}] = true;
    path.pop_back();
  }
  return Unit{};
}

std::vector<std::string> SessionFreeze::node_defs(
    const Body& body, const std::map<std::string, std::string>& names) const {
  std::vector<std::string> made;
  for (uint32_t i = body.arg_count; i < body.nodes.size(); ++i) {
    const auto edited = body.edited.find(i);
    if (edited == body.edited.end()) {
      made.emplace_back(body.nodes[i].bytes);
      continue;
    }
    NodeEditor editor = edited->second;
    const auto settled = body.settled.find(i);
    const FunctionCaller* caller = find_session_caller(body.nodes[i].op);
    if (settled != body.settled.end() && caller != nullptr) {
      std::map<std::string, std::string> known;
      for (const std::string& name : settled->second) known.emplace(name, names.at(name));
      for (const std::string_view attr : session_functions(*caller)) {
        const std::string* value = editor.attr(attr);
        if (value != nullptr) editor.set_attr(attr, renamed_functions(*value, known));
      }
    }
    made.push_back(editor.finish());
  }
  made.insert(made.end(), body.added.begin(), body.added.end());
  return made;
}

Result<Graph> SessionFreeze::finish() const {
  std::vector<std::string> converted, library;
  for (const Body& body : bodies_) {
    if (body.function != nullptr && body.converted) converted.emplace_back(body.function->name);
  }
  const auto names = frozen_names(converted, model_.graph.functions());
  for (const Function& function : model_.graph.functions()) {
    const auto name = names.find(std::string(function.name));
    if (name == names.end()) {
      library.emplace_back(function.bytes);
      continue;
    }
    const Body& body = bodies_[body_of_.at(function.name)];
    TRY(made, retyped_function(function,
                               {name->second, body.args, body.returns, node_defs(body, names)}));
    library.push_back(std::move(made));
  }
  return python_graph(model_, node_defs(bodies_[0], names), library);
}

}  // namespace cryo
