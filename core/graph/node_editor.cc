#include "graph/node_editor.h"

#include <algorithm>

#include "bytes/coding.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::string bytes_value(uint32_t number, std::string_view bytes) {
  std::string value;
  put_bytes_field(value, number, bytes);
  return value;
}

std::string varint_value(uint32_t number, uint64_t number_value) {
  std::string value;
  put_varint_field(value, number, number_value);
  return value;
}

}  // namespace

NodeEditor::NodeEditor(const Node& node)
    : name_(node.name), op_(node.op), device_(device_of(node)) {
  for (const std::string_view input : node.inputs()) inputs_.emplace_back(input);
  for (WireCursor cursor(node.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number > fields::NodeDef::kAttr || field.type != WireType::kBytes) {
      rest_ += field.record;
    } else if (field.number == fields::NodeDef::kAttr) {
      attrs_.push_back(entry_of(field.bytes));
    }
  }
}

NodeEditor::Entry NodeEditor::entry_of(std::string_view bytes) {
  Entry entry;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& field = cursor.field();
    const bool known = field.type == WireType::kBytes;
    if (known && field.number == fields::MapEntry::kKey) {
      entry.key = field.bytes;
    } else if (known && field.number == fields::MapEntry::kValue) {
      entry.value = field.bytes;
    } else {
      entry.rest += field.record;
    }
  }
  return entry;
}

NodeEditor& NodeEditor::set_name(std::string_view name) {
  name_ = name;
  return *this;
}

NodeEditor& NodeEditor::set_op(std::string_view op) {
  op_ = op;
  return *this;
}

NodeEditor& NodeEditor::set_device(std::string_view device) {
  device_ = device;
  return *this;
}

NodeEditor& NodeEditor::set_inputs(std::vector<std::string> inputs) {
  inputs_ = std::move(inputs);
  return *this;
}

NodeEditor& NodeEditor::add_input(std::string_view input) {
  inputs_.emplace_back(input);
  return *this;
}

NodeEditor& NodeEditor::set_attr(std::string_view key, std::string value) {
  const auto same = [&](const auto& attr) { return attr.key == key; };
  const auto after = [&](const auto& attr) { return attr.key > key; };
  if (const auto old = std::find_if(attrs_.begin(), attrs_.end(), same); old != attrs_.end()) {
    old->value = std::move(value);
  } else {
    attrs_.insert(std::find_if(attrs_.begin(), attrs_.end(), after),
                  Entry{std::string(key), std::move(value), {}});
  }
  return *this;
}

NodeEditor& NodeEditor::erase_attr(std::string_view key) {
  std::erase_if(attrs_, [&](const auto& attr) { return attr.key == key; });
  return *this;
}

const std::string* NodeEditor::attr(std::string_view key) const {
  for (const auto& attr : attrs_) {
    if (attr.key == key) return &attr.value;
  }
  return nullptr;
}

NodeEditor& NodeEditor::set_colocations(const std::vector<std::string_view>& partners) {
  std::vector<std::string> names;
  for (const std::string_view partner : partners) names.push_back("loc:@" + std::string(partner));
  return names.empty() ? erase_attr("_class") : set_attr("_class", string_list_value(names));
}

NodeEditor& NodeEditor::rename_attr(std::string_view from, std::string_view to) {
  const auto same = [&](const auto& attr) { return attr.key == from; };
  if (std::none_of(attrs_.begin(), attrs_.end(), same)) return *this;
  erase_attr(to);
  std::find_if(attrs_.begin(), attrs_.end(), same)->key = to;
  return *this;
}

std::string NodeEditor::finish() const {
  std::string out;
  if (!name_.empty()) put_bytes_field(out, fields::NodeDef::kName, name_);
  if (!op_.empty()) put_bytes_field(out, fields::NodeDef::kOp, op_);
  for (const std::string& input : inputs_) put_bytes_field(out, fields::NodeDef::kInput, input);
  if (!device_.empty()) put_bytes_field(out, fields::NodeDef::kDevice, device_);
  for (const auto& attr : attrs_) {
    std::string entry;
    put_bytes_field(entry, fields::MapEntry::kKey, attr.key);
    put_bytes_field(entry, fields::MapEntry::kValue, attr.value);
    put_bytes_field(out, fields::NodeDef::kAttr, entry + attr.rest);
  }
  return out + rest_;
}

NodeEditor constant_node(std::string_view name, DType dtype, std::string_view tensor_proto) {
  NodeEditor editor(name, "Const");
  editor.set_attr("dtype", type_value(dtype));
  return editor.set_attr("value", tensor_value(tensor_proto));
}

std::string type_value(int dtype) {
  return varint_value(fields::AttrValue::kType, static_cast<uint64_t>(dtype));
}
std::string int_value(int64_t value) {
  return varint_value(fields::AttrValue::kI, static_cast<uint64_t>(value));
}
std::string bool_value(bool value) { return varint_value(fields::AttrValue::kB, value ? 1 : 0); }
std::string string_value(std::string_view value) {
  return bytes_value(fields::AttrValue::kS, value);
}
std::string shape_value(std::string_view tensor_shape_proto) {
  return bytes_value(fields::AttrValue::kShape, tensor_shape_proto);
}
std::string tensor_value(std::string_view tensor_proto) {
  return bytes_value(fields::AttrValue::kTensor, tensor_proto);
}

std::string type_list_value(const std::vector<int>& dtypes) {
  std::string packed;
  for (const int dtype : dtypes) put_varint(packed, static_cast<uint64_t>(dtype));
  std::string list;
  if (!packed.empty()) put_bytes_field(list, fields::AttrValue::ListValue::kType, packed);
  return bytes_value(fields::AttrValue::kList, list);
}

std::string string_list_value(const std::vector<std::string>& strings) {
  std::string list;
  for (const std::string& each : strings)
    put_bytes_field(list, fields::AttrValue::ListValue::kS, each);
  return bytes_value(fields::AttrValue::kList, list);
}

}  // namespace cryo
