#include "graph/node.h"

#include <charconv>
#include <limits>
#include <system_error>

#include "base/same_bits.h"
#include "base/text.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// The member of the AttrValue's oneof that was set last, if it is `number`.
std::optional<WireField> member(std::optional<std::string_view> value, uint32_t number) {
  if (!value) return std::nullopt;
  std::optional<WireField> last;
  for (WireCursor cursor(*value); cursor.next();) {
    if (cursor.field().number <= fields::AttrValue::kFunc) last = cursor.field();
  }
  if (!last || last->number != number) return std::nullopt;
  return last;
}

std::optional<std::string_view> bytes_member(const Node& node, std::string_view key,
                                             uint32_t number) {
  const auto field = member(find_attr(node, key), number);
  if (!field || field->type != WireType::kBytes) return std::nullopt;
  return field->bytes;
}

std::optional<uint64_t> varint_member(const Node& node, std::string_view key, uint32_t number) {
  const auto field = member(find_attr(node, key), number);
  if (!field || field->type != WireType::kVarint) return std::nullopt;
  return field->value;
}

void collect_functions(std::string_view attr_value, int depth, std::vector<std::string_view>& out);

// NameAttrList: {name = 1, attr = 2 {key = 1, value = 2}}.
void collect_name_attr_list(std::string_view func, int depth, std::vector<std::string_view>& out) {
  out.push_back(last_bytes(func, fields::NameAttrList::kName));
  for (WireCursor cursor(func); cursor.next();) {
    if (cursor.field().number == fields::NameAttrList::kAttr) {
      collect_functions(last_bytes(cursor.field().bytes, fields::MapEntry::kValue), depth + 1, out);
    }
  }
}

void collect_functions(std::string_view attr_value, int depth, std::vector<std::string_view>& out) {
  if (depth > kMaxDepth) return;
  for (WireCursor cursor(attr_value); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::AttrValue::kFunc) collect_name_attr_list(field.bytes, depth, out);
    if (field.number != fields::AttrValue::kList) continue;
    for (WireCursor list(field.bytes); list.next();) {
      if (list.field().number == fields::AttrValue::ListValue::kFunc)
        collect_name_attr_list(list.field().bytes, depth, out);
    }
  }
}

}  // namespace

TensorName parse_tensor_name(std::string_view text) {
  if (!text.empty() && text[0] == '^') return {text.substr(1), 0, true};
  size_t digits = text.size();
  while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') --digits;
  if (digits == text.size() || digits < 2 || text[digits - 1] != ':') return {text};
  uint64_t port = 0;
  const char* const end = text.data() + text.size();
  // A number over 64 bits is not one for TensorFlow; one within 64 bits is cut to 32.
  if (std::from_chars(text.data() + digits, end, port).ec != std::errc()) return {text};
  return {text.substr(0, digits - 1), static_cast<uint32_t>(port), false};
}

std::string to_text(const TensorName& name) {
  if (name.control) return cat("^", name.node);
  return name.port == 0 ? std::string(name.node) : cat(name.node, ":", name.port);
}

NodeInputs::Iterator& NodeInputs::Iterator::operator++() {
  do {
    done_ = !cursor_.next();
  } while (!done_ && (cursor_.field().number != fields::NodeDef::kInput ||
                      cursor_.field().type != WireType::kBytes));
  return *this;
}

Result<Node> scan_node(std::string_view bytes) {
  if (bytes.size() > std::numeric_limits<uint32_t>::max()) {
    return failure("too-large", "a node's description is larger than 4 GiB");
  }
  Node node{bytes};
  WireCursor cursor(bytes);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    if (field.type != WireType::kBytes) continue;
    if (field.number == fields::NodeDef::kName) node.name = field.bytes;
    if (field.number == fields::NodeDef::kOp) node.op = field.bytes;
    if (field.number != fields::NodeDef::kInput) continue;
    const auto begin = static_cast<uint32_t>(field.record.data() - bytes.data());
    if (node.input_count++ == 0) node.inputs_begin = begin;
    node.inputs_end = begin + static_cast<uint32_t>(field.record.size());
  }
  if (!cursor.ok()) return failure("malformed-message", "a node is not a valid NodeDef");
  return node;
}

std::vector<Attr> attrs_of(const Node& node) {
  std::vector<Attr> attrs;
  for (WireCursor cursor(node.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::NodeDef::kAttr || field.type != WireType::kBytes) continue;
    attrs.push_back(read_map_entry(field.bytes));
  }
  return attrs;
}

std::optional<std::string_view> find_attr(const Node& node, std::string_view key) {
  std::optional<std::string_view> found;
  for (WireCursor cursor(node.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::NodeDef::kAttr || field.type != WireType::kBytes) continue;
    const Attr attr = read_map_entry(field.bytes);
    if (attr.key == key) found = attr.value;
  }
  return found;
}

std::optional<int> type_attr(const Node& node, std::string_view key) {
  const auto value = varint_member(node, key, fields::AttrValue::kType);
  if (!value) return std::nullopt;
  return static_cast<int>(*value);
}

std::optional<int64_t> int_attr(const Node& node, std::string_view key) {
  const auto value = varint_member(node, key, fields::AttrValue::kI);
  if (!value) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::optional<float> float_attr(const Node& node, std::string_view key) {
  const auto field = member(find_attr(node, key), fields::AttrValue::kF);
  if (!field || field->type != WireType::kFixed32) return std::nullopt;
  return same_bits<float>(static_cast<uint32_t>(field->value));
}

std::optional<bool> bool_attr(const Node& node, std::string_view key) {
  const auto value = varint_member(node, key, fields::AttrValue::kB);
  if (!value) return std::nullopt;
  return *value != 0;
}

std::optional<std::string_view> string_attr(const Node& node, std::string_view key) {
  return bytes_member(node, key, fields::AttrValue::kS);
}

std::optional<std::string_view> tensor_attr(const Node& node, std::string_view key) {
  return bytes_member(node, key, fields::AttrValue::kTensor);
}

std::optional<std::string_view> shape_attr(const Node& node, std::string_view key) {
  return bytes_member(node, key, fields::AttrValue::kShape);
}

size_t count_data_inputs(const Node& node) {
  size_t count = 0;
  for (const std::string_view input : node.inputs()) count += input.starts_with('^') ? 0U : 1U;
  return count;
}

std::string_view device_of(const Node& node) {
  return last_bytes(node.bytes, fields::NodeDef::kDevice);
}

std::vector<std::string_view> colocations(const Node& node) {
  constexpr std::string_view kPrefix = "loc:@";
  std::vector<std::string_view> names;
  for (WireCursor cursor(bytes_member(node, "_class", fields::AttrValue::kList).value_or(""));
       cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::AttrValue::ListValue::kS && field.bytes.starts_with(kPrefix)) {
      names.push_back(field.bytes.substr(kPrefix.size()));
    }
  }
  return names;
}

std::vector<std::string_view> functions_named_by(const Node& node) {
  std::vector<std::string_view> names = {node.op};
  for (const Attr& attr : attrs_of(node)) collect_functions(attr.value, 0, names);
  return names;
}

}  // namespace cryo
