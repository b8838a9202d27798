#include "graph/functions/function_editor.h"

#include <algorithm>
#include <array>

#include "graph/attr_value.h"
#include "graph/node_editor.h"
#include "wire/fields.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

bool is_removed(const std::vector<bool>& removed, uint64_t place) {
  return place < removed.size() && removed[static_cast<size_t>(place)];
}

void erase_places(std::vector<std::string>& elements, const std::vector<bool>& removed) {
  uint64_t place = 0;
  std::erase_if(elements, [&](const std::string&) { return is_removed(removed, place++); });
}

std::string list_value(const std::string& list) {
  std::string value;
  put_bytes_field(value, fields::AttrValue::kList, list);
  return value;
}

// An AttrValue with a list of shapes, one an argument; added ones are unknown. An empty list
// declares nothing and stays empty.
std::string changed_shapes(std::string_view value, const std::vector<bool>& removed, size_t added) {
  std::string list;
  uint64_t count = 0;
  AttrValue(value).each_bytes(AttrKind::kShape, [&](std::string_view shape) {
    if (!is_removed(removed, count++)) put_bytes_field(list, list_field(AttrKind::kShape), shape);
  });
  std::string unknown;
  put_varint_field(unknown, fields::TensorShapeProto::kUnknownRank, 1);
  for (size_t i = 0; count > 0 && i < added; ++i) {
    put_bytes_field(list, list_field(AttrKind::kShape), unknown);
  }
  return list_value(list);
}

std::string changed_types(std::string_view value, const ArgumentChange& change) {
  std::vector<int> types;
  uint64_t place = 0;
  AttrValue(value).each_number(AttrKind::kType, [&](int64_t type) {
    if (!is_removed(change.removed, place++)) types.push_back(static_cast<int>(type));
  });
  for (const DType dtype : change.added) types.push_back(static_cast<int>(dtype));
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

// Removes the entries of removed arguments from a map by their places.
void erase_entries(std::vector<std::string>& entries, const std::vector<bool>& removed) {
  std::erase_if(entries,
                [&](const std::string& entry) { return is_removed(removed, integer_key(entry)); });
  for (std::string& entry : entries) {
    const uint64_t place = integer_key(entry);
    if (place_after(removed, place) == place) continue;
    std::string moved;
    put_varint_field(moved, fields::MapEntry::kKey, place_after(removed, place));
    for (WireCursor cursor(entry); cursor.next();) {
      if (cursor.field().number != fields::MapEntry::kKey) moved += cursor.field().record;
    }
    entry = std::move(moved);
  }
}

void change_input_shapes(std::vector<std::string>& attrs, const std::vector<bool>& removed,
                         size_t added) {
  constexpr std::string_view kInputShapes = "_input_shapes";
  for (std::string& entry : attrs) {
    if (last_bytes(entry, fields::MapEntry::kKey) != kInputShapes) continue;
    const std::string_view shapes = last_bytes(entry, fields::MapEntry::kValue);
    entry = map_entry(kInputShapes, changed_shapes(shapes, removed, added));
  }
}

std::string arg_of(std::string_view name, DType dtype) {
  std::string arg;
  put_bytes_field(arg, fields::OpDef::ArgDef::kName, name);
  put_varint_field(arg, fields::OpDef::ArgDef::kType, static_cast<uint64_t>(dtype));
  return arg;
}

// The parts of a FunctionDef, other than its signature.
struct Part {
  uint32_t number;
  std::vector<std::string> FunctionEditor::*list;
};

constexpr std::array<Part, 6> kParts = {{
    {fields::FunctionDef::kNodeDef, &FunctionEditor::nodes},
    {fields::FunctionDef::kRet, &FunctionEditor::returns},
    {fields::FunctionDef::kAttr, &FunctionEditor::attrs},
    {fields::FunctionDef::kControlRet, &FunctionEditor::control_returns},
    {fields::FunctionDef::kArgAttr, &FunctionEditor::arg_attrs},
    {fields::FunctionDef::kResourceArgUniqueId, &FunctionEditor::resource_ids},
}};

const Part* find_part(uint32_t number) {
  const auto found = std::find_if(kParts.begin(), kParts.end(),
                                  [&](const Part& part) { return part.number == number; });
  return found == kParts.end() ? nullptr : &*found;
}

void put_all(std::string& out, uint32_t number, const std::vector<std::string>& messages) {
  for (const std::string& message : messages) put_bytes_field(out, number, message);
}

}  // namespace

FunctionEditor::FunctionEditor(const Function& function) {
  for (WireCursor cursor(function.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    const Part* const part = find_part(field.number);
    const bool is_signature = field.number == fields::FunctionDef::kSignature;
    if (field.type != WireType::kBytes || (part == nullptr && !is_signature)) {
      rest_ += field.record;
      continue;
    }
    add_to_order(field.number);
    if (is_signature) read_signature(field.bytes);
    if (part != nullptr) (this->*part->list).emplace_back(field.bytes);
  }
  add_to_order(fields::FunctionDef::kSignature);
  for (const Part& part : kParts) add_to_order(part.number);
}

void FunctionEditor::add_to_order(uint32_t number) {
  if (std::find(order_.begin(), order_.end(), number) == order_.end()) order_.push_back(number);
}

void FunctionEditor::read_signature(std::string_view signature) {
  for (WireCursor cursor(signature); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpDef::kName) {
      name = field.bytes;
    } else if (field.number == fields::OpDef::kInputArg) {
      inputs.emplace_back(field.bytes);
    } else if (field.number == fields::OpDef::kOutputArg) {
      outputs.emplace_back(field.bytes);
    } else {
      signature_rest_ += field.record;
    }
  }
}

void FunctionEditor::remove_arguments(const std::vector<bool>& removed, bool is_loop_body) {
  erase_places(inputs, removed);
  for (size_t i = 0; is_loop_body && i < outputs.size(); ++i) {
    if (!is_removed(removed, i)) continue;
    const std::string_view output = last_bytes(outputs[i], fields::OpDef::ArgDef::kName);
    std::erase_if(returns, [&](const std::string& entry) {
      return last_bytes(entry, fields::MapEntry::kKey) == output;
    });
  }
  if (is_loop_body) erase_places(outputs, removed);
  change_input_shapes(attrs, removed, 0);
  erase_entries(arg_attrs, removed);
  erase_entries(resource_ids, removed);
}

void FunctionEditor::add_argument(std::string_view argument, DType dtype) {
  inputs.push_back(arg_of(argument, dtype));
  change_input_shapes(attrs, {}, 1);
}

void FunctionEditor::add_output(std::string_view output, DType dtype, std::string_view source) {
  outputs.push_back(arg_of(output, dtype));
  returns.push_back(map_entry(output, source));
}

void FunctionEditor::rewire_returns(const std::map<std::string, std::string>& sources) {
  for (std::string& entry : returns) {
    const auto found = sources.find(std::string(last_bytes(entry, fields::MapEntry::kValue)));
    if (found == sources.end()) continue;
    entry = map_entry(last_bytes(entry, fields::MapEntry::kKey), found->second);
  }
}

std::string FunctionEditor::finish() const {
  std::string signature;
  if (!name.empty()) put_bytes_field(signature, fields::OpDef::kName, name);
  put_all(signature, fields::OpDef::kInputArg, inputs);
  put_all(signature, fields::OpDef::kOutputArg, outputs);
  signature += signature_rest_;
  std::string out;
  for (const uint32_t number : order_) {
    const Part* const part = find_part(number);
    if (part == nullptr) put_bytes_field(out, number, signature);
    if (part != nullptr) put_all(out, number, this->*part->list);
  }
  return out + rest_;
}

uint64_t place_after(const std::vector<bool>& removed, uint64_t place) {
  const auto before = static_cast<std::ptrdiff_t>(std::min<uint64_t>(place, removed.size()));
  const auto end = removed.begin() + before;
  return place - static_cast<uint64_t>(std::count(removed.begin(), end, true));
}

std::string changed_call(const Node& node, const FunctionCaller* caller,
                         std::vector<std::string> inputs, const ArgumentChange& change) {
  NodeEditor editor(node);
  editor.set_inputs(std::move(inputs));
  const bool removes =
      std::find(change.removed.begin(), change.removed.end(), true) != change.removed.end();
  const auto read_only = find_attr(node, "_read_only_resource_inputs");
  if (removes && read_only) {
    const uint64_t first = caller == nullptr ? 0 : caller->first;
    editor.set_attr("_read_only_resource_inputs",
                    without_places(*read_only, first, change.removed));
  }
  if (caller == nullptr) return editor.finish();
  const auto types = find_attr(node, caller->inputs);
  if (types) editor.set_attr(caller->inputs, changed_types(*types, change));
  if (!caller->loop()) return editor.finish();
  for (const std::string_view key : {"output_shapes", "_output_shapes"}) {
    const auto shapes = find_attr(node, key);
    if (shapes) {
      editor.set_attr(key, changed_shapes(*shapes, change.removed, change.added.size()));
    }
  }
  // Outputs before those that its gradient added.
  if (const auto count = int_attr(node, "_num_original_outputs")) {
    const auto before = static_cast<uint64_t>(std::max<int64_t>(*count, 0));
    const uint64_t now = place_after(change.removed, before);
    editor.set_attr("_num_original_outputs", int_value(static_cast<int64_t>(now)));
  }
  return editor.finish();
}

}  // namespace cryo
