#include "graph/function.h"

#include "wire/fields.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

std::vector<FunctionReturn> entries_of(const Function& function, uint32_t number) {
  std::vector<FunctionReturn> entries;
  for (WireCursor cursor(function.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != number) continue;
    const MapEntryView entry = read_map_entry(field.bytes);
    entries.push_back({entry.key, entry.value});
  }
  return entries;
}

}  // namespace

Function scan_function(std::string_view function_def) {
  return {function_def, last_bytes(last_bytes(function_def, fields::FunctionDef::kSignature),
                                   fields::OpDef::kName)};
}

std::string_view signature_of(const Function& function) {
  return last_bytes(function.bytes, fields::FunctionDef::kSignature);
}

Result<std::vector<Node>> body_nodes(const Function& function) {
  std::vector<Node> nodes;
  WireCursor cursor(function.bytes);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    if (field.number != fields::FunctionDef::kNodeDef || field.type != WireType::kBytes) continue;
    TRY(node, scan_node(field.bytes));
    nodes.push_back(node);
  }
  if (!cursor.ok()) {
    return failure("malformed-message",
                   "expected a FunctionDef; the bytes are not a valid message");
  }
  return nodes;
}

std::vector<FunctionReturn> returns_of(const Function& function) {
  return entries_of(function, fields::FunctionDef::kRet);
}

std::vector<FunctionReturn> control_returns_of(const Function& function) {
  return entries_of(function, fields::FunctionDef::kControlRet);
}

std::unordered_map<std::string_view, std::string_view> sources_by_output(const Function& function) {
  std::unordered_map<std::string_view, std::string_view> sources;
  for (const FunctionReturn& each : returns_of(function)) sources[each.name] = each.source;
  return sources;
}

std::optional<std::string_view> find_attr(const Function& function, std::string_view key) {
  std::optional<std::string_view> value;
  for (const FunctionReturn& each : entries_of(function, fields::FunctionDef::kAttr)) {
    if (each.name == key) value = each.source;
  }
  return value;
}

}  // namespace cryo
