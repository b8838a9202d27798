#include "graph/rewrite/rewrite_nodes.h"

#include "base/same_bits.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "graph/node_editor.h"
#include "tensor/content.h"
#include "tensor/number.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::string fixed32(float value) {
  std::string bytes;
  put_fixed32(bytes, same_bits<uint32_t>(value));
  return bytes;
}

std::string list_message(const RewriteValue& value) {
  std::string list;
  std::string packed;
  for (const int64_t number : value.numbers) put_varint(packed, static_cast<uint64_t>(number));
  for (const double real : value.reals) packed += fixed32(static_cast<float>(real));
  if (!packed.empty()) put_bytes_field(list, list_field(value.kind), packed);
  for (const std::string& text : value.texts) put_bytes_field(list, list_field(value.kind), text);
  std::string message;
  put_bytes_field(message, fields::AttrValue::kList, list);
  return message;
}

std::vector<std::string> control_inputs(const Node& node) {
  std::vector<std::string> found;
  for (const std::string_view input : node.inputs()) {
    if (parse_tensor_name(input).control) found.emplace_back(input);
  }
  return found;
}

}  // namespace

std::string attr_message(const RewriteValue& value) {
  if (!value.verbatim.empty()) return value.verbatim;
  if (value.list) return list_message(value);
  std::string message;
  const auto field = static_cast<uint32_t>(value.kind);
  if (value.kind == AttrKind::kFloat) {
    put_tag(message, field, WireType::kFixed32);
    message += fixed32(static_cast<float>(value.reals.at(0)));
  } else if (!value.texts.empty()) {
    put_bytes_field(message, field, value.texts[0]);
  } else {
    put_varint_field(message, field, static_cast<uint64_t>(value.numbers.at(0)));
  }
  return message;
}

RewriteValue read_rewrite_value(std::string_view attr_value) {
  const AttrValue attr(attr_value);
  RewriteValue value{.kind = attr.kind(), .verbatim = std::string(attr_value)};
  switch (attr.kind()) {
    case AttrKind::kInt:
    case AttrKind::kBool:
    case AttrKind::kType:
      value.numbers = {attr.number()};
      break;
    case AttrKind::kString:
      value.texts = {std::string(attr.bytes())};
      break;
    default:
      break;
  }
  return value;
}

Shape shape_of_constant(const RewriteValue& value) {
  Shape shape;
  if (value.list) {
    shape.dims = {static_cast<int64_t>(value.numbers.size() + value.reals.size())};
  }
  return shape;
}

std::string content_of_constant(const RewriteValue& value, DType dtype) {
  const uint32_t size = find_dtype(dtype)->size;
  std::string content;
  const auto append_real = [&](double real) {
    char element[8] = {};
    put_number(real, dtype, element);
    content.append(element, size);
  };
  for (const int64_t number : value.numbers) {
    if (is_floating(dtype)) {
      append_real(static_cast<double>(number));
      continue;
    }
    std::string element;
    put_fixed64(element, static_cast<uint64_t>(number));
    content.append(element, 0, size);
  }
  for (const double real : value.reals) append_real(real);
  return content;
}

NodeSource::NodeSource(const Node& node, std::string_view op, Facts facts)
    : node_(node), op_(op), facts_(facts) {
  for (const std::string_view input : node.inputs()) {
    if (!parse_tensor_name(input).control) inputs_.emplace_back(input);
  }
}

std::optional<RewriteValue> NodeSource::value(std::string_view name) const {
  if (const auto attr = find_attr(node_, name)) return read_rewrite_value(*attr);
  const auto fact = facts_(name);
  if (!fact) return std::nullopt;
  return RewriteValue{.kind = AttrKind::kBool, .numbers = {*fact ? 1 : 0}};
}

std::string NodeTarget::add_constant(const RewriteNode& made) {
  const RewriteValue& value = made.constant;
  std::string suffix(made.suffix);
  if (suffix.empty()) suffix = value.list ? "numbers" : "number";
  if (suffix == "number" && !value.numbers.empty()) suffix += cat("_", value.numbers[0]);
  std::string tensor = tensor_of_zeros(made.dtype, shape_of_constant(value));
  put_bytes_field(tensor, fields::TensorProto::kTensorContent,
                  content_of_constant(value, made.dtype));
  std::string name = names_.take(cat(rewritten_.name, "/", suffix));
  NodeEditor editor = constant_node(name, made.dtype, tensor);
  editor.add_input(cat("^", parse_tensor_name(*rewritten_.inputs().begin()).node));
  added.push_back(editor.set_device(device_of(rewritten_)).finish());
  return name;
}

std::vector<std::string> NodeTarget::add(const RewriteNode& made) {
  if (made.op.empty()) return {add_constant(made)};
  const bool is_output = made.output.has_value();
  std::string name(is_output ? rewritten_.name : "");
  if (!is_output) name = names_.take(cat(rewritten_.name, "/", made.suffix));
  NodeEditor editor = made.keeps_attrs ? NodeEditor(rewritten_) : NodeEditor(name, made.op);
  editor.set_name(name).set_op(made.op).set_device(device_of(rewritten_));
  std::vector<std::string> inputs = made.inputs;
  if (made.takes_controls) {
    for (std::string& control : control_inputs(rewritten_)) inputs.push_back(std::move(control));
  }
  editor.set_inputs(std::move(inputs));
  for (const auto& [key, value] : made.attrs) editor.set_attr(key, attr_message(value));
  for (const std::string_view key : made.dropped) editor.erase_attr(key);
  is_output ? (void)(node = editor.finish()) : added.push_back(editor.finish());
  std::vector<std::string> outputs = {name};
  for (size_t i = 1; i < made.outputs; ++i) outputs.push_back(cat(name, ":", i));
  return outputs;
}

}  // namespace cryo
