#include "passes/freeze/frozen_nodes.h"

#include "base/text.h"
#include "bytes/coding.h"
#include "graph/attr_value.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/roles.h"
#include "tensor/content.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// A list of types with others in some places; places begin at `first`.
std::string with_types(std::string_view list, const std::map<uint32_t, HeldValue>& values,
                       uint32_t first) {
  std::vector<int> types;
  AttrValue(list).each_number(AttrKind::kType, [&](int64_t type) {
    const auto value = values.find(static_cast<uint32_t>(types.size()) + first);
    types.push_back(
        static_cast<int>(value == values.end() ? static_cast<DType>(type) : value->second.dtype));
  });
  return type_list_value(types);
}

// The same for a list of shapes.
std::string with_shapes(std::string_view list, const std::map<uint32_t, HeldValue>& values) {
  std::string out;
  uint32_t place = 0;
  AttrValue(list).each_bytes(AttrKind::kShape, [&](std::string_view shape) {
    const auto value = values.find(place++);
    put_bytes_field(
        out, list_field(AttrKind::kShape),
        value == values.end() ? std::string(shape) : shape_message(value->second.shape));
  });
  std::string attr;
  put_bytes_field(attr, fields::AttrValue::kList, out);
  return attr;
}

}  // namespace

// Inside a body an output is named after the op's output argument, and Identity and Const call
// theirs `output`.
std::string FrozenNodes::rewired(std::string_view input) const {
  if (in_body_) {
    const uint32_t node = names_.find(body_node_name(input));
    const size_t colon = input.find(':');
    if (node == kNoNode || colon == std::string_view::npos) return std::string(input);
    const FrozenUse::Kind kind = uses_.nodes[node].kind;
    const bool renamed = kind == FrozenUse::kRead || kind == FrozenUse::kAsksInitialised;
    if (!renamed) return std::string(input);
    const size_t port = input.find(':', colon + 1);
    return cat(input.substr(0, colon), ":output",
               port == std::string_view::npos ? "" : input.substr(port));
  }
  const TensorName name = parse_tensor_name(input);
  const auto read = uses_.added_reads.find(name.node);
  if (read == uses_.added_reads.end()) return std::string(input);
  return cat(name.control ? "^" : "", read->second, port_text(input));
}

bool FrozenNodes::stays(uint32_t index) const {
  if (uses_.nodes[index].kind != FrozenUse::kNone) return false;
  if (!in_body_ && uses_.added_reads.empty()) return true;
  for (const std::string_view input : nodes_[index].inputs()) {
    if (rewired(input) != input) return false;
  }
  return true;
}

NodeEditor FrozenNodes::edit(const Node& node) const {
  NodeEditor editor(node);
  for (std::string& input : editor.inputs()) input = rewired(input);
  return editor;
}

std::string FrozenNodes::read(const Node& node) const {
  return edit(node).set_op("Identity").rename_attr("dtype", "T").finish();
}

std::string FrozenNodes::retyped(uint32_t index) const {
  const Node& node = nodes_[index];
  const DType dtype = uses_.nodes[index].dtype;
  NodeEditor editor = edit(node);
  if (node.op.starts_with("Ref")) editor.set_op(node.op.substr(3));
  if (dtype == DType::kInvalid) return editor.finish();
  editor.erase_attr("_output_shapes");
  if (node.op != "IdentityN") return editor.set_attr("T", type_value(dtype)).finish();
  std::map<uint32_t, HeldValue> values;
  for (uint32_t port = 0; port < node.input_count; ++port) {
    if (const HeldValue* value = uses_.held({index, port})) values.emplace(port, *value);
  }
  return editor.set_attr("T", with_types(find_attr(node, "T").value_or(""), values, 0)).finish();
}

// The variable is its first value: Assign passes it on, AssignVariableOp has no output.
std::string FrozenNodes::first_assign(const Node& node) const {
  const bool hands_on = node.op == "Assign";
  NodeEditor editor(node.name, hands_on ? "Identity" : "NoOp");
  bool first = true;
  for (const std::string_view input : node.inputs()) {
    if (input.starts_with('^') || (first && hands_on)) editor.add_input(rewired(input));
    first = false;
  }
  if (const auto type = type_attr(node, "T")) editor.set_attr("T", type_value(*type));
  return editor.set_device(device_of(node)).finish();
}

std::string FrozenNodes::shape(uint32_t index) const {
  return edit(nodes_[index])
      .set_op("Shape")
      .set_attr("T", type_value(uses_.nodes[index].dtype))
      .finish();
}

std::string FrozenNodes::call(uint32_t index) const {
  const Node& node = nodes_[index];
  const FrozenCall& values = uses_.calls.at(index);
  NodeEditor editor = edit(node);
  editor.erase_attr("_output_shapes").erase_attr("_read_only_resource_inputs");
  const FunctionCaller* caller = find_caller(node.op);
  if (caller == nullptr) return editor.set_op(values.to.front()).finish();
  const auto types = find_attr(node, caller->inputs);
  if (types) editor.set_attr(caller->inputs, with_types(*types, values.inputs, caller->first));
  const auto outputs = find_attr(node, caller->outputs);
  if (outputs && !caller->loop()) {
    editor.set_attr(caller->outputs, with_types(*outputs, values.outputs, 0));
  }
  if (const auto shapes = find_attr(node, "output_shapes")) {
    editor.set_attr("output_shapes", with_shapes(*shapes, values.outputs));
  }
  for (const std::string_view key : caller->functions) {
    const auto named = key.empty() ? std::nullopt : find_attr(node, key);
    if (named) editor.set_attr(key, renamed_functions(*named, values.from, values.to));
  }
  return editor.finish();
}

// A scalar, with the control inputs and the device of the node that it stands for.
Result<std::string> FrozenNodes::constant(std::string_view name, const Node& like, DType dtype,
                                          std::string content) const {
  TRY(proto, const_tensor(dtype, Shape{}, Splice(fresh(std::move(content))), payloads_));
  NodeEditor editor = constant_node(name, dtype, proto);
  for (const std::string_view input : like.inputs()) {
    if (input.starts_with('^')) editor.add_input(input);
  }
  return editor.set_device(device_of(like)).finish();
}

// True where the node's first input comes through an Enter: it runs in the frame of a loop.
bool FrozenNodes::is_in_loop(const Node& node) const {
  const Node* at = &node;
  for (size_t steps = 0; steps < nodes_.size() && at->input_count > 0; ++steps) {
    const uint32_t from = names_.find(parse_tensor_name(*at->inputs().begin()).node);
    if (from == kNoNode || !is_pass_through(nodes_[from].op)) return false;
    at = &nodes_[from];
    if (at->op.ends_with("Enter")) return true;
  }
  return false;
}

// ResourceGather(handle, indices) -> GatherV2(value, indices, axis), axis = batch_dims;
// ResourceGatherNd -> GatherNd. In a loop the axis waits for the indices, which puts it into the
// loop's frame.
Result<std::vector<std::string>> FrozenNodes::gather(const Node& node) {
  NodeEditor editor = edit(node);
  editor.rename_attr("dtype", "Tparams").erase_attr("validate_indices");
  if (editor.inputs().size() < 2 || editor.inputs()[1].starts_with('^')) {
    return failure("input-count", cat(node.op, " '", node.name, "' expects a handle and indices"),
                   {.node = node.name}, "validate the graph to see all its faults");
  }
  if (node.op == "ResourceGatherNd") return std::vector{editor.set_op("GatherNd").finish()};
  std::string content;
  put_fixed32(content, static_cast<uint32_t>(int_attr(node, "batch_dims").value_or(0)));
  const std::string axis = fresh_names_.take(cat(node.name, "/axis"));
  TRY(axis_node, constant(axis, Node(), DType::kInt32, std::move(content)));
  if (!in_body_ && is_in_loop(node)) {
    NodeEditor waiting(*scan_node(axis_node));
    const TensorName indices = parse_tensor_name(editor.inputs()[1]);
    axis_node = waiting.add_input(cat("^", indices.node)).finish();
  }
  editor.inputs().insert(editor.inputs().begin() + 2, in_body_ ? cat(axis, ":output:0") : axis);
  editor.set_op("GatherV2").set_attr("Taxis", type_value(DType::kInt32));
  return std::vector{std::move(axis_node), editor.finish()};
}

Result<std::vector<std::string>> FrozenNodes::made_of(uint32_t index) {
  const Node& node = nodes_[index];
  switch (uses_.nodes[index].kind) {
    case FrozenUse::kRead:
      return std::vector{read(node)};
    case FrozenUse::kHandsOn:
      return std::vector{retyped(index)};
    case FrozenUse::kGather:
      return gather(node);
    case FrozenUse::kShape:
      return std::vector{shape(index)};
    case FrozenUse::kCall:
      return std::vector{call(index)};
    case FrozenUse::kAsksInitialised: {
      TRY(known, constant(node.name, node, DType::kBool, std::string(1, '\1')));
      return std::vector{std::move(known)};
    }
    case FrozenUse::kFirstAssign:
      return std::vector{first_assign(node)};
    case FrozenUse::kAddedRead:
      return std::vector<std::string>();
    case FrozenUse::kVariable:
    case FrozenUse::kNone:
      break;
  }
  return std::vector{stays(index) ? std::string(node.bytes) : edit(node).finish()};
}

}  // namespace cryo
