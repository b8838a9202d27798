#include "validate/graph/same_function.h"

#include <map>
#include <optional>
#include <string>

#include "base/sort.h"
#include "graph/functions/function_editor.h"
#include "wire/canonical.h"
#include "wire/cursor.h"
#include "wire/elide.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Beyond this, functions are compared as they lie.
constexpr uint64_t kMaxBytes = uint64_t{64} << 20;

std::optional<std::string> whole_message(const Function& function, const Payloads& payloads) {
  const MessageSchema& schema = message_schema("tensorflow.FunctionDef");
  const auto splice = expand(canonical(function.bytes, schema, payloads), schema, payloads);
  if (!splice || splice->size() > kMaxBytes) return std::nullopt;
  const auto bytes = splice->read_all();
  if (!bytes) return std::nullopt;
  return *bytes;
}

// Returns the compared parts of a canonical node: without internal attributes, and with sorted
// control inputs.
std::string normal_node(std::string_view node) {
  std::string normal;
  std::vector<std::string_view> controls;
  for (WireCursor cursor(node); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::NodeDef::kExperimentalDebugInfo) continue;
    if (field.number == fields::NodeDef::kAttr &&
        last_bytes(field.bytes, fields::NodeDef::kName).starts_with('_'))
      continue;
    const bool control = field.number == fields::NodeDef::kInput && field.bytes.starts_with('^');
    if (control) controls.push_back(field.record);
    if (!control) normal += field.record;
  }
  sort(controls);
  for (const std::string_view control : controls) normal += control;
  return normal;
}

// Returns the form of a function that TensorFlow compares; nullopt if two nodes share a name.
std::optional<std::string> normal_form(std::string_view canonical_function) {
  FunctionEditor editor(scan_function(canonical_function));
  std::map<std::string, std::string> nodes;  // by name
  for (const std::string& node : editor.nodes) {
    const std::string name(last_bytes(node, fields::NodeDef::kName));
    if (!nodes.emplace(name, normal_node(node)).second) return std::nullopt;
  }
  editor.arg_attrs.clear();
  editor.resource_ids.clear();
  editor.nodes.clear();
  for (auto& node : nodes) editor.nodes.push_back(std::move(node.second));
  return editor.finish();
}

}  // namespace

bool same_function(const Function& a, const Function& b, const Payloads& payloads) {
  const auto whole_a = whole_message(a, payloads);
  const auto whole_b = whole_message(b, payloads);
  if (!whole_a || !whole_b) return a.bytes == b.bytes;
  const auto normal_a = normal_form(*whole_a);
  const auto normal_b = normal_form(*whole_b);
  return normal_a && normal_b && *normal_a == *normal_b;
}

}  // namespace cryo
