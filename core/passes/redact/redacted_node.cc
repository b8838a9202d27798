// The nodes of a Redaction, with their attributes.

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "graph/node_editor.h"
#include "passes/common/freeze_record.h"
#include "passes/redact/redaction.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kColocated = "loc:@";

bool is_device(std::string_view text) {
  constexpr std::string_view kParts[] = {
      "/job:", "/replica:", "/task:", "/device:", "/cpu:", "/gpu:", "/CPU:", "/GPU:"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return text.starts_with(part); });
}

// Returns false for messages, compressed data and the like.
bool is_plain_text(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  return is_utf8(text) && std::none_of(text.begin(), text.end(), is_control);
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_output(const OpDef& op, std::string_view name) {
  return std::any_of(op.outputs.begin(), op.outputs.end(),
                     [&](const ArgDef& each) { return each.name == name; });
}

}  // namespace

std::string Redaction::node(std::string_view bytes) {
  const std::string_view op = last_bytes(bytes, fields::NodeDef::kOp);
  const std::string_view name = last_bytes(bytes, fields::NodeDef::kName);
  const AttrPlace place{ops_.find(op), {}, scope_.role_of(name)};
  const MessageSchema& schema = message_schema("tensorflow.NodeDef");
  std::string made;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& each = cursor.field();
    const FieldSchema* known = schema.find(each.number);
    if (known == nullptr || !fits_wire(*known, each.type)) continue;
    switch (each.number) {
      case fields::NodeDef::kName:
        put_bytes_field(made, each.number, names_.name(each.bytes));
        break;
      case fields::NodeDef::kOp:
        put_bytes_field(made, each.number, op_name(each.bytes));
        break;
      case fields::NodeDef::kInput:
        put_bytes_field(made, each.number, input(each.bytes));
        break;
      case fields::NodeDef::kDevice:
        put_bytes_field(made, each.number, neutral_device(each.bytes, names_));
        break;
      case fields::NodeDef::kAttr:
        put_bytes_field(made, each.number, attr_entry(each.bytes, *known->message, place));
        break;
      default:
        made += field(each, schema, *known);
    }
  }
  return made;
}

std::string Redaction::attr_entry(std::string_view bytes, const MessageSchema& schema,
                                  AttrPlace place) {
  const MapEntryView entry = read_map_entry(bytes);
  AttrPlace before = place_;
  place_ = place;
  place_.key = entry.key;
  std::string made;
  if (entry.key == kRecordAttr && read_record(entry.value)) {
    FreezeRecord record = *read_record(entry.value);
    record.key = names_.name(record.key);
    record.shared = names_.name(record.shared);
    for (std::string& each : record.collections) each = names_.name(each);
    made = map_entry(entry.key, record_value(record));
  } else {
    made = message(bytes, schema);
  }
  place_ = before;
  return made;
}

// Names of ops stay, also of those that only a library of its author has; another name is that of
// a missing function.
std::string Redaction::op_name(std::string_view op) {
  if (ops_.find(op) != nullptr) return std::string(op);
  return functions_.contains(op) || !is_op_name(op) ? names_.name(op) : std::string(op);
}

std::string Redaction::function_name(std::string_view name) {
  return ops_.find(name) != nullptr ? std::string(name) : names_.name(name);
}

std::string Redaction::attr_text(std::string_view text) {
  if (text.starts_with(kColocated) && place_.key == "_class") {
    return cat(kColocated, names_.name(text.substr(kColocated.size())));
  }
  if (words_.is_value(place_.op, place_.key, text)) return std::string(text);
  if (is_device(text)) return neutral_device(text, names_);
  return is_plain_text(text) ? names_.name(text) : std::string();
}

// The name of a node, or of a node and its output in a body: "node:output:0", whose output is a
// word of the node's op or function.
std::string Redaction::source(std::string_view text) {
  const size_t end = text.find(':');
  if (end == std::string_view::npos) return names_.name(text);
  const std::string_view node = text.substr(0, end);
  const std::string_view rest = text.substr(end + 1);
  const std::string_view output = rest.substr(0, rest.find(':'));
  const std::string_view op = scope_.op_of(node);
  const OpDef* def = ops_.find(op);
  const bool own =
      def != nullptr && !functions_.contains(op) ? has_output(*def, output) : is_number(output);
  const bool custom = def == nullptr && !op.empty() && !functions_.contains(op) && is_op_name(op);
  return cat(names_.name(node), ":", own || custom ? std::string(output) : names_.name(output),
             rest.substr(output.size()));
}

std::string Redaction::input(std::string_view text) {
  return in_body_ ? source(text) : names_.name(text);
}

}  // namespace cryo
