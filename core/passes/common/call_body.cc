#include "passes/common/call_body.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "graph/bound_value.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "validate/graph/body_items.h"

namespace cryo {
namespace {

// Tensors that one body's node may take or a call may give: a list of types in a few bytes can ask
// for 2^31.
constexpr uint64_t kMaxTensors = 65536;

// More control inputs of a call than these are gathered in one node, not repeated for many.
constexpr size_t kFewControls = 2;

Failure at_fault(const LibraryFunction& function, std::string_view node, std::string_view code,
                 std::string_view message, std::string_view fix) {
  return failure(code, cat("function '", function.function->name, "': ", message),
                 {.function = function.function->name, .node = std::string(node)}, fix);
}

// The inputs of a call.
struct CallInputs {
  std::vector<std::string> data = {};
  std::vector<std::string> controls = {};
  std::vector<std::string> gates = {};  // control inputs for nodes without inputs
  std::vector<size_t> arg_starts = {};  // of the function's arguments, in `data`
  std::vector<TypeRun> types = {};
};

// A call whose body's nodes become nodes of the main graph.
struct ExpandedCall {
  const Node& node;
  const LibraryFunction& function;
  const AttrScope scope;
  GrowthBudget& budget;
  CallInputs inputs = {};
  std::vector<Node> nodes = {};
  std::vector<std::string> names = {};  // of each node, in the main graph
  std::unordered_map<std::string_view, size_t> index_of = {};
  // The output that is used, of nodes of unknown ops.
  std::unordered_map<std::string_view, std::string_view> opaque_outputs = {};
  BodyItems items = {};

  Status spend(uint64_t bytes) { return budget.spend(bytes, node.name); }
};

// The call's inputs, and the function's arguments that stand for them.
Status take_inputs(ExpandedCall& call) {
  for (const std::string_view input : call.node.inputs()) {
    (input.starts_with('^') ? call.inputs.controls : call.inputs.data).emplace_back(input);
  }
  NodeAttrs attrs;
  attrs.bind(call.scope, call.function.signature);
  size_t start = 0;
  for (const ArgDef& arg : call.function.signature.inputs) {
    std::vector<TypeRun> types;
    append_types(arg, attrs, types);
    append_types(arg, attrs, call.inputs.types);
    call.items.add_arg(arg.name, arg.is_ref, types);
    call.inputs.arg_starts.push_back(start);
    start += size_of(types);
  }
  if (start == call.inputs.data.size()) return Unit{};
  return failure(
      "call-arguments",
      cat("'", call.node.name, "' gives ", call.inputs.data.size(), " inputs to function '",
          call.function.function->name, "', which takes ", start),
      {.node = call.node.name}, "validate the graph to see all its faults");
}

void add_items(const Node& node, KnownOps& ops, NodeAttrs& attrs, ExpandedCall& call) {
  call.items.add_node(node.name);
  const KnownOp& known = ops.find(node.op);
  if (known.def == nullptr) return call.items.make_opaque();
  attrs.bind(node, *known.def, &call.scope);
  for (const ArgDef& output : known.def->outputs) {
    std::vector<TypeRun> types;
    append_types(output, attrs, types);
    call.items.add_output(output.name, output.is_ref, types);
  }
}

// A NoOp that runs when the call would have run: after its control inputs, and `gated` also where
// its data inputs are alive. It waits for those by an Identity each: a Switch runs even where its
// output is dead.
Status gather_controls(ExpandedCall& call, bool gated, FreshNames& fresh, CallBody& made) {
  const bool many = call.inputs.controls.size() > kFewControls;
  if (!many && !gated) return Unit{};
  const uint64_t per_node =
      GrowthBudget::kNodeBytes + 4 * (call.node.name.size() + GrowthBudget::kMaxSuffix);
  CHECK_OK(
      call.spend(call.node.bytes.size() + (1 + (gated ? call.inputs.data.size() : 0)) * per_node));
  const std::string name = fresh.take(cat(call.node.name, "/control_inputs"));
  NodeEditor gate(name, "NoOp");
  for (size_t i = 0; gated && i < call.inputs.data.size(); ++i) {
    const std::string copy = fresh.take(cat(call.node.name, "/input_", i));
    NodeEditor identity(copy, "Identity");
    const DType type = base(type_at(call.inputs.types, i).value_or(DType::kInvalid));
    identity.add_input(call.inputs.data[i]).set_attr("T", type_value(type));
    made.nodes.push_back(identity.set_device(device_of(call.node)).finish());
    call.inputs.data[i] = copy;
    gate.add_input(cat("^", copy));
  }
  for (const std::string& each : call.inputs.controls) gate.add_input(each);
  made.nodes.push_back(gate.set_device(device_of(call.node)).finish());
  if (gated) call.inputs.gates = {cat("^", name)};
  if (many) call.inputs.controls = {cat("^", name)};
  return Unit{};
}

// "custom:out:1" of an op that is not known: right if that op has no other output argument.
Status append_assumed(ExpandedCall& call, std::string_view text, std::vector<std::string>& tensors,
                      CallBody& made) {
  const std::string_view name = body_node_name(text);
  const size_t index = call.index_of.at(name);
  const size_t first = text.find(':');
  const size_t last = text.rfind(':');
  const std::string_view output =
      first == std::string_view::npos ? "" : text.substr(first + 1, last - first - 1);
  const auto [known, added] = call.opaque_outputs.emplace(name, output);
  if (first == last || known->second != output) {
    return at_fault(call.function, name, "unknown-op",
                    cat("the outputs of '", name, "' are unknown: there is no definition of op ",
                        call.nodes[index].op),
                    "give a model that brings the op's definition (a .meta or SavedModel)");
  }
  if (added) made.assumed.emplace_back(call.nodes[index].op);
  const std::string_view port = text.substr(last + 1);
  CHECK_OK(call.spend(call.names[index].size() + port.size()));
  tensors.push_back(port == "0" ? call.names[index] : cat(call.names[index], ":", port));
  return Unit{};
}

// The tensors that a body's text names, as the main graph names them.
Status append(ExpandedCall& call, std::string_view text, std::string_view node,
              std::vector<std::string>& tensors, CallBody& made) {
  const auto item = call.items.find(text);
  if (!item && call.items.is_opaque(text)) return append_assumed(call, text, tensors, made);
  if (!item) {
    return at_fault(call.function, node, "unknown-input-node",
                    cat("input ", text, " is not found: '", node, "'"),
                    "validate the graph to see all its faults");
  }
  const uint64_t count = size_of(item->types());
  if (tensors.size() + count > kMaxTensors) {
    return at_fault(call.function, node, "too-large",
                    cat("'", node, "' has more than ", kMaxTensors, " tensors"), "");
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t port = item->port + i;
    if (item->is_arg) {
      const size_t place = call.inputs.arg_starts[item->owner] + static_cast<size_t>(port);
      CHECK_OK(call.spend(call.inputs.data[place].size()));
      tensors.push_back(call.inputs.data[place]);
    } else {
      const std::string& name = call.names[item->owner];
      CHECK_OK(call.spend(name.size() + GrowthBudget::kMaxSuffix));
      tensors.push_back(port == 0 ? name : cat(name, ":", port));
    }
  }
  return Unit{};
}

// Returns "^node" or "^arg"; empty if there is none of the name.
std::string control_input(const ExpandedCall& call, std::string_view text) {
  const auto item = call.items.find_control(text);
  if (!item) return {};
  if (!item->is_arg) return cat("^", call.names[item->owner]);
  const size_t place = call.inputs.arg_starts[item->owner] + item->port;
  if (place >= call.inputs.data.size()) return {};
  return cat("^", parse_tensor_name(call.inputs.data[place]).node);
}

Result<std::vector<std::string>> inputs_of(ExpandedCall& call, const Node& node, CallBody& made) {
  std::vector<std::string> inputs;
  std::vector<std::string> controls;
  bool waits = false;  // for another node of the body
  bool any = false;
  for (const std::string_view input : node.inputs()) {
    const bool is_control = input.starts_with('^');
    const auto item =
        is_control ? call.items.find_control(input.substr(1)) : call.items.find(input);
    waits = waits || (item && !item->is_arg);
    any = true;
    if (!is_control) CHECK_OK(append(call, input, node.name, inputs, made));
    if (is_control) controls.push_back(control_input(call, input.substr(1)));
  }
  const std::vector<std::string>& before =
      any || call.inputs.gates.empty() ? call.inputs.controls : call.inputs.gates;
  if (!waits) controls.insert(controls.end(), before.begin(), before.end());
  std::unordered_set<std::string_view> known;
  for (const std::string& each : controls) {
    if (each.empty() || !known.insert(each).second) continue;
    CHECK_OK(call.spend(each.size()));
    inputs.push_back(each);
  }
  return inputs;
}

// Returns "loc:@" of nodes of the body, or of arguments; others are removed.
std::vector<std::string> colocation_of(const ExpandedCall& call, const Node& node) {
  std::vector<std::string> partners;
  for (const std::string_view partner : colocations(node)) {
    const std::string name = control_input(call, partner);
    if (!name.empty()) partners.push_back(cat("loc:@", name.substr(1)));
  }
  return partners;
}

Status add_instance(ExpandedCall& call, size_t index, CallBody& made) {
  const Node& node = call.nodes[index];
  TRY(inputs, inputs_of(call, node, made));
  NodeEditor editor(node);
  editor.set_name(call.names[index]).set_inputs(std::move(inputs));
  if (device_of(node).empty()) editor.set_device(device_of(call.node));
  for (const Attr& attr : attrs_of(node)) {
    std::string value = bound_value(attr.value, call.scope);
    CHECK_OK(call.spend(value.size() - std::min(value.size(), attr.value.size())));
    editor.set_attr(attr.key, std::move(value));
  }
  if (const auto frame = string_attr(node, "frame_name")) {
    editor.set_attr("frame_name", string_value(cat(call.node.name, "/", *frame)));
  }
  const std::vector<std::string> partners = colocation_of(call, node);
  if (partners.empty()) editor.erase_attr("_class");
  if (!partners.empty()) editor.set_attr("_class", string_list_value(partners));
  made.nodes.push_back(editor.finish());
  return Unit{};
}

Status find_outputs(ExpandedCall& call, CallBody& made) {
  NodeAttrs attrs;
  attrs.bind(call.scope, call.function.signature);
  const auto sources = sources_by_output(*call.function.function);
  std::vector<TypeRun> types;
  for (const ArgDef& output : call.function.signature.outputs) {
    append_types(output, attrs, types);
    const auto source = sources.find(output.name);
    const std::string_view text = source == sources.end() ? std::string_view() : source->second;
    CHECK_OK(append(call, text, output.name, made.outputs, made));
  }
  for (size_t i = 0; i < made.outputs.size(); ++i) {
    made.types.push_back(static_cast<int>(type_at(types, i).value_or(DType::kInvalid)));
  }
  return Unit{};
}

// A call has run when the body's control returns have. Functions of TensorFlow 1 have none, and
// then it has when its outputs are there.
void find_controls(const ExpandedCall& call, CallBody& made) {
  for (const FunctionReturn& each : control_returns_of(*call.function.function)) {
    const std::string name = control_input(call, each.source);
    if (!name.empty()) made.controls.push_back(name);
  }
  if (made.controls.empty()) {
    made.controls = call.inputs.gates.empty() ? call.inputs.controls : call.inputs.gates;
  }
  if (is_call(call.node.op)) return;
  for (const std::string& output : made.outputs) {
    made.controls.push_back(cat("^", parse_tensor_name(output).node));
  }
}

Status add_all_nodes(ExpandedCall& call, KnownOps& ops, FreshNames& fresh) {
  NodeAttrs attrs;
  const uint64_t each =
      GrowthBudget::kNodeBytes + call.node.name.size() + device_of(call.node).size();
  for (const Node& node : call.nodes) {
    const uint64_t frame = string_attr(node, "frame_name") ? call.node.name.size() : 0;
    CHECK_OK(call.spend(each + frame + node.bytes.size()));
    add_items(node, ops, attrs, call);
    call.index_of.emplace(node.name, call.names.size());
    call.names.push_back(fresh.take(cat(call.node.name, "/", node.name)));
  }
  return Unit{};
}

}  // namespace

Result<CallBody> body_of_call(const Node& node, const FunctionCall& call,
                              const LibraryFunction& function, KnownOps& ops, FreshNames& names,
                              GrowthBudget& budget, bool gated) {
  TRY(nodes, body_nodes(*function.function));
  ExpandedCall expanded{node, function, AttrScope(call.attrs, &function.signature), budget};
  expanded.nodes = std::move(nodes);
  CallBody made;
  CHECK_OK(take_inputs(expanded));
  CHECK_OK(add_all_nodes(expanded, ops, names));
  CHECK_OK(gather_controls(expanded, gated && !expanded.inputs.data.empty(), names, made));
  for (size_t i = 0; i < expanded.nodes.size(); ++i) CHECK_OK(add_instance(expanded, i, made));
  CHECK_OK(find_outputs(expanded, made));
  find_controls(expanded, made);
  return made;
}

bool has_switches_or_frames(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return is_switch(node.op) || node.op == "_SwitchN" || node.op == "Enter" ||
           node.op == "RefEnter";
  });
}

}  // namespace cryo
