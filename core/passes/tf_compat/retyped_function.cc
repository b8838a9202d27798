#include "passes/tf_compat/retyped_function.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/functions/function_editor.h"
#include "passes/tf_compat/sub_graph.h"
#include "wire/fields.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

using Types = std::map<uint32_t, DType>;

// Appends the types of some arguments: a later field of a number counts.
void retype(std::vector<std::string>& args, const Types& types) {
  for (const auto& [place, type] : types) {
    if (place >= args.size()) continue;
    put_varint_field(args[place], fields::OpDef::ArgDef::kType, static_cast<uint64_t>(type));
  }
}

// An AttrValue with a list of shapes, some of them unknown. False where it has no such place.
bool forget_shapes(std::string& value, const std::vector<uint32_t>& places) {
  std::string list;
  uint32_t count = 0;
  const std::string_view old = last_bytes(value, fields::AttrValue::kList);
  for (WireCursor cursor(old); cursor.next();) {
    const bool forget = cursor.field().number == fields::AttrValue::ListValue::kShape &&
                        std::find(places.begin(), places.end(), count++) != places.end();
    std::string shape;
    put_varint_field(shape, fields::TensorShapeProto::kUnknownRank, 1);
    if (forget) put_bytes_field(list, fields::AttrValue::ListValue::kShape, shape);
    if (!forget) list += cursor.field().record;
  }
  value.clear();
  put_bytes_field(value, fields::AttrValue::kList, list);
  return places.empty() || places.back() < count;
}

// The entry {_input_shapes: [...]} of the function's attributes.
Result<std::string> without_input_shapes(std::string_view entry, const Types& args) {
  std::vector<uint32_t> places;
  for (const auto& arg : args) places.push_back(arg.first);
  std::string value(last_bytes(entry, fields::MapEntry::kValue));
  if (!forget_shapes(value, places)) return tensorflow_fails("list index out of range");
  return map_entry(last_bytes(entry, fields::MapEntry::kKey), value);
}

// The entry of an argument in `arg_attr`, without the shape that it had.
Result<std::string> without_output_shape(uint64_t place, std::string_view attrs) {
  std::string kept;
  for (WireCursor cursor(attrs); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::FunctionDef::ArgAttrs::kAttr ||
        last_bytes(field.bytes, fields::MapEntry::kKey) != "_output_shapes") {
      kept += field.record;
      continue;
    }
    std::string value(last_bytes(field.bytes, fields::MapEntry::kValue));
    if (!forget_shapes(value, {0})) return tensorflow_fails("list index out of range");
    put_bytes_field(kept, fields::FunctionDef::ArgAttrs::kAttr, map_entry("_output_shapes", value));
  }
  return map_entry(place, kept);
}

// "f_12" as {12, "f", "f_12"}, with the number as digits without leading zeros, that sort by length
// first; "f" as {none, "f", "f"}.
struct NameOrder {
  std::string digits;
  std::string base;
  std::string name;
  bool operator<(const NameOrder& other) const {
    if (digits.size() != other.digits.size()) return digits.size() < other.digits.size();
    if (digits != other.digits) return digits < other.digits;
    return base != other.base ? base < other.base : name < other.name;
  }
};

NameOrder order_of(const std::string& name) {
  const size_t at = name.rfind('_');
  const std::string tail = at == name.npos ? "" : name.substr(at + 1);
  if (tail.empty() || tail.find_first_not_of("0123456789") != tail.npos) return {"", name, name};
  const size_t from = std::min(tail.find_first_not_of('0'), tail.size() - 1);
  return {tail.substr(from), name.substr(0, at), name};
}

}  // namespace

Result<std::string> retyped_function(const Function& function, const Retyping& retyping) {
  FunctionEditor editor(function);
  editor.name = retyping.name;
  editor.nodes = retyping.node_defs;
  retype(editor.inputs, retyping.args);
  retype(editor.outputs, retyping.returns);
  for (std::string& entry : editor.attrs) {
    if (last_bytes(entry, fields::MapEntry::kKey) != "_input_shapes") continue;
    TRY(forgotten, without_input_shapes(entry, retyping.args));
    entry = std::move(forgotten);
  }
  std::map<uint64_t, std::string> arg_attrs;
  for (const auto& arg : retyping.args) arg_attrs.emplace(arg.first, "");
  std::erase_if(editor.arg_attrs, [&](const std::string& entry) {
    const auto found = arg_attrs.find(integer_key(entry));
    if (found == arg_attrs.end()) return false;
    found->second = last_bytes(entry, fields::MapEntry::kValue);
    return true;
  });
  for (const auto& arg : arg_attrs) {
    TRY(entry, without_output_shape(arg.first, arg.second));
    editor.arg_attrs.push_back(std::move(entry));
  }
  return editor.finish();
}

std::map<std::string, std::string> frozen_names(const std::vector<std::string>& converted,
                                                const std::vector<Function>& library) {
  std::set<NameOrder> order;
  for (const std::string& name : converted) order.insert(order_of(name));
  const auto taken = [&](const std::string& name) {
    return std::any_of(library.begin(), library.end(),
                       [&](const Function& function) { return function.name == name; });
  };
  std::map<std::string, std::string> names;
  size_t number = 0;
  for (const NameOrder& each : order) {
    std::string fresh = cat(each.base, "_frozen_", number++);
    while (taken(fresh)) fresh = cat(each.base, "_frozen_", number++);
    names.emplace(each.name, std::move(fresh));
  }
  return names;
}

}  // namespace cryo
