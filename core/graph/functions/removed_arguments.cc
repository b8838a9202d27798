#include "graph/functions/removed_arguments.h"

#include <algorithm>

#include "graph/attr_value.h"
#include "graph/node_editor.h"
#include "wire/fields.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

bool is_removed(const std::vector<bool>& removed, uint64_t place) {
  return place < removed.size() && removed[static_cast<size_t>(place)];
}

std::string list_value(const std::string& list) {
  std::string value;
  put_bytes_field(value, fields::AttrValue::kList, list);
  return value;
}

// An AttrValue with a list of an element an argument.
std::string without_elements(std::string_view value, AttrKind kind,
                             const std::vector<bool>& removed) {
  std::string list;
  uint64_t place = 0;
  const AttrValue attr(value);
  attr.each_bytes(kind, [&](std::string_view element) {
    if (!is_removed(removed, place++)) put_bytes_field(list, list_field(kind), element);
  });
  return list_value(list);
}

std::string without_types(std::string_view value, const std::vector<bool>& removed) {
  std::vector<int> types;
  uint64_t place = 0;
  AttrValue(value).each_number(AttrKind::kType, [&](int64_t type) {
    if (!is_removed(removed, place++)) types.push_back(static_cast<int>(type));
  });
  return type_list_value(types);
}

// An AttrValue with a list of places among a node's inputs; the first `first` are no arguments.
std::string without_places(std::string_view value, uint64_t first,
                           const std::vector<bool>& removed) {
  std::string places;
  AttrValue(value).each_number(AttrKind::kInt, [&](int64_t input) {
    const auto place = static_cast<uint64_t>(input);
    if (place >= first && is_removed(removed, place - first)) return;
    put_varint(places, place < first ? place : first + place_after(removed, place - first));
  });
  std::string list;
  put_bytes_field(list, list_field(AttrKind::kInt), places);
  return list_value(list);
}

// An entry of a map from places of arguments; empty if its argument is removed. `number`: of the
// value's field type.
void put_by_place(std::string& out, const WireField& field, const std::vector<bool>& removed) {
  const uint64_t place = integer_key(field.bytes);
  if (is_removed(removed, place)) return;
  std::string entry;
  put_varint_field(entry, fields::MapEntry::kKey, place_after(removed, place));
  for (WireCursor cursor(field.bytes); cursor.next();) {
    if (cursor.field().number != fields::MapEntry::kKey) entry += cursor.field().record;
  }
  put_bytes_field(out, field.number, entry);
}

std::string signature_without(std::string_view bytes, const RemovedArguments& removed) {
  std::string out;
  uint64_t inputs = 0;
  uint64_t outputs = 0;
  for (WireCursor cursor(bytes); cursor.next();) {
    const uint32_t number = cursor.field().number;
    const bool goes =
        (number == fields::OpDef::kInputArg && is_removed(removed.places, inputs++)) ||
        (number == fields::OpDef::kOutputArg && removed.loop_body &&
         is_removed(removed.places, outputs++));
    if (!goes) out += cursor.field().record;
  }
  return out;
}

}  // namespace

uint64_t place_after(const std::vector<bool>& removed, uint64_t place) {
  const auto before = static_cast<std::ptrdiff_t>(std::min<uint64_t>(place, removed.size()));
  const auto end = removed.begin() + before;
  return place - static_cast<uint64_t>(std::count(removed.begin(), end, true));
}

std::string without_arguments(const Function& function, const FunctionView& view,
                              const RemovedArguments& removed,
                              const std::vector<std::string>& node_defs,
                              const std::map<std::string, std::string>& renamed) {
  std::vector<std::string_view> lost;  // keys of returns
  for (size_t i = 0; removed.loop_body && i < view.signature.outputs.size(); ++i) {
    if (is_removed(removed.places, i)) lost.push_back(view.signature.outputs[i].name);
  }
  std::string out;
  for (WireCursor cursor(function.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    const std::string_view key = last_bytes(field.bytes, fields::MapEntry::kKey);
    const std::string_view value = last_bytes(field.bytes, fields::MapEntry::kValue);
    if (field.number == fields::FunctionDef::kSignature) {
      put_bytes_field(out, field.number, signature_without(field.bytes, removed));
    } else if (field.number == fields::FunctionDef::kRet) {
      if (std::find(lost.begin(), lost.end(), key) != lost.end()) continue;
      const auto found = renamed.find(std::string(value));
      put_bytes_field(out, field.number,
                      found == renamed.end() ? field.bytes : map_entry(key, found->second));
    } else if (field.number == fields::FunctionDef::kAttr && key == "_input_shapes") {
      const std::string shapes = without_elements(value, AttrKind::kShape, removed.places);
      put_bytes_field(out, field.number, map_entry(key, shapes));
    } else if (field.number == fields::FunctionDef::kArgAttr ||
               field.number == fields::FunctionDef::kResourceArgUniqueId) {
      put_by_place(out, field, removed.places);
    } else if (field.number != fields::FunctionDef::kNodeDef) {
      out += field.record;
    }
  }
  for (const std::string& node : node_defs) {
    put_bytes_field(out, fields::FunctionDef::kNodeDef, node);
  }
  return out;
}

std::string call_without_arguments(const Node& node, const FunctionCaller* caller,
                                   std::vector<std::string> inputs,
                                   const std::vector<bool>& removed) {
  NodeEditor editor(node);
  editor.set_inputs(std::move(inputs));
  if (const auto read = find_attr(node, "_read_only_resource_inputs")) {
    const uint64_t first = caller == nullptr ? 0 : caller->first;
    editor.set_attr("_read_only_resource_inputs", without_places(*read, first, removed));
  }
  if (caller == nullptr) return editor.finish();
  const auto types = find_attr(node, caller->inputs);
  if (types) editor.set_attr(caller->inputs, without_types(*types, removed));
  if (!caller->loop()) return editor.finish();
  for (const std::string_view key : {"output_shapes", "_output_shapes"}) {
    const auto shapes = find_attr(node, key);
    if (shapes) editor.set_attr(key, without_elements(*shapes, AttrKind::kShape, removed));
  }
  // Outputs before those that its gradient added.
  if (const auto count = int_attr(node, "_num_original_outputs")) {
    const uint64_t now = place_after(removed, static_cast<uint64_t>(std::max<int64_t>(*count, 0)));
    editor.set_attr("_num_original_outputs", int_value(static_cast<int64_t>(now)));
  }
  return editor.finish();
}

}  // namespace cryo
