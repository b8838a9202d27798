#include "graph/functions/captures.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "graph/attr_value.h"
#include "graph/functions/function_callers.h"
#include "graph/node_editor.h"
#include "wire/fields.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

// {place: {_cryograph_constant: "0:w"}}
std::string capture_entry(uint64_t place, const Capture& capture) {
  std::string attrs;
  const std::string text = cat(capture.place, ":", capture.constant);
  put_bytes_field(attrs, fields::FunctionDef::ArgAttrs::kAttr,
                  map_entry(kCaptureAttr, string_value(text)));
  return map_entry(place, attrs);
}

// Returns the capture in an argument's attributes; nullopt if it has none.
std::optional<Capture> captured(std::string_view entry) {
  for (WireCursor cursor(last_bytes(entry, fields::MapEntry::kValue)); cursor.next();) {
    const std::string_view attr = cursor.field().bytes;
    if (last_bytes(attr, fields::MapEntry::kKey) != kCaptureAttr) continue;
    const std::string_view text = AttrValue(last_bytes(attr, fields::MapEntry::kValue)).bytes();
    Capture capture;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), capture.place);
    const auto digits = static_cast<size_t>(read.ptr - text.data());
    if (text.substr(digits, 1) != ":") return std::nullopt;
    capture.constant = text.substr(digits + 1);
    return capture;
  }
  return std::nullopt;
}

std::string arg_of(const std::string& name, DType dtype) {
  std::string arg;
  put_bytes_field(arg, fields::OpDef::ArgDef::kName, name);
  put_varint_field(arg, fields::OpDef::ArgDef::kType, static_cast<uint64_t>(dtype));
  return arg;
}

// Changes an AttrValue with a list of shapes: removes some at its end, or appends unknown ones. An
// empty list declares nothing and is kept.
std::string changed_shapes(std::string_view value, size_t added, size_t taken) {
  const uint64_t count = AttrValue(value).count(AttrKind::kShape);
  std::string list;
  uint64_t at = 0;
  AttrValue(value).each_bytes(AttrKind::kShape, [&](std::string_view shape) {
    if (at++ + taken < count) put_bytes_field(list, list_field(AttrKind::kShape), shape);
  });
  std::string unknown;
  put_varint_field(unknown, fields::TensorShapeProto::kUnknownRank, 1);
  for (size_t i = 0; count > 0 && i < added; ++i) {
    put_bytes_field(list, list_field(AttrKind::kShape), unknown);
  }
  std::string changed;
  put_bytes_field(changed, fields::AttrValue::kList, list);
  return changed;
}

std::string returned_name(const Capture& capture) { return cat(capture.arg, "_returned"); }

class FunctionChanger {
 public:
  FunctionChanger(const FunctionView& view, const FunctionChange& change)
      : change_(change), args_(view.arg_count - change.taken) {
    const std::vector<ArgDef>& outputs = view.signature.outputs;
    returns_ = outputs.size() - std::min(change.loop_body ? change.taken : 0, outputs.size());
    for (size_t i = returns_; i < outputs.size(); ++i) gone_.emplace_back(outputs[i].name);
  }

  std::string run(const Function& function) const;

 private:
  std::string signature(std::string_view bytes) const;
  void put_ret(std::string& out, std::string_view entry) const;
  void put_nodes(std::string& out) const;
  void put_added(std::string& out) const;

  const FunctionChange& change_;
  size_t args_;     // that stay
  size_t returns_;  // that stay
  std::vector<std::string_view> gone_;
};

std::string FunctionChanger::signature(std::string_view bytes) const {
  std::string out;
  size_t inputs = 0, outputs = 0;
  for (WireCursor cursor(bytes); cursor.next();) {
    const uint32_t number = cursor.field().number;
    const bool goes = (number == fields::OpDef::kInputArg && inputs++ >= args_) ||
                      (number == fields::OpDef::kOutputArg && outputs++ >= returns_);
    if (!goes) out += cursor.field().record;
  }
  for (const Capture& each : change_.added) {
    put_bytes_field(out, fields::OpDef::kInputArg, arg_of(each.arg, each.dtype));
    if (!change_.loop_body) continue;
    put_bytes_field(out, fields::OpDef::kOutputArg, arg_of(returned_name(each), each.dtype));
  }
  return out;
}

void FunctionChanger::put_ret(std::string& out, std::string_view entry) const {
  const std::string_view key = last_bytes(entry, fields::MapEntry::kKey);
  if (std::find(gone_.begin(), gone_.end(), key) != gone_.end()) return;
  const auto rewired =
      change_.rewired.find(std::string(last_bytes(entry, fields::MapEntry::kValue)));
  put_bytes_field(
      out, fields::FunctionDef::kRet,
      rewired == change_.rewired.end() ? std::string(entry) : map_entry(key, rewired->second));
}

void FunctionChanger::put_nodes(std::string& out) const {
  for (const std::string& node : change_.node_defs)
    put_bytes_field(out, fields::FunctionDef::kNodeDef, node);
}

void FunctionChanger::put_added(std::string& out) const {
  uint64_t place = args_;
  for (const Capture& each : change_.added) {
    if (change_.loop_body)
      put_bytes_field(out, fields::FunctionDef::kRet, map_entry(returned_name(each), each.arg));
    put_bytes_field(out, fields::FunctionDef::kArgAttr, capture_entry(place++, each));
  }
}

std::string FunctionChanger::run(const Function& function) const {
  std::string out;
  bool has_nodes = false;
  for (WireCursor cursor(function.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    const bool shapes = field.number == fields::FunctionDef::kAttr &&
                        last_bytes(field.bytes, fields::MapEntry::kKey) == "_input_shapes";
    const bool arg_goes =
        field.number == fields::FunctionDef::kArgAttr && integer_key(field.bytes) >= args_;
    if (field.number == fields::FunctionDef::kSignature) {
      put_bytes_field(out, fields::FunctionDef::kSignature, signature(field.bytes));
    } else if (field.number == fields::FunctionDef::kRet) {
      put_ret(out, field.bytes);
    } else if (shapes) {
      const std::string value = changed_shapes(last_bytes(field.bytes, fields::MapEntry::kValue),
                                               change_.added.size(), change_.taken);
      put_bytes_field(out, fields::FunctionDef::kAttr, map_entry("_input_shapes", value));
    } else if (field.number == fields::FunctionDef::kNodeDef) {
      if (!has_nodes) put_nodes(out);
      has_nodes = true;
    } else if (!arg_goes) {
      out += field.record;
    }
  }
  if (!has_nodes) put_nodes(out);
  put_added(out);
  return out;
}

}  // namespace

std::vector<Capture> captured_by(const Function& function, const FunctionView& view) {
  std::map<uint64_t, Capture> marked;
  for (WireCursor cursor(function.bytes); cursor.next();) {
    if (cursor.field().number != fields::FunctionDef::kArgAttr) continue;
    const auto capture = captured(cursor.field().bytes);
    if (capture) marked[integer_key(cursor.field().bytes)] = *capture;
  }
  std::vector<Capture> captures;
  for (size_t place = view.arg_count; place > 0 && marked.contains(place - 1); --place) {
    captures.push_back(marked[place - 1]);
    captures.back().arg = view.nodes[place - 1].name;
  }
  std::reverse(captures.begin(), captures.end());
  return captures;
}

std::string changed_function(const Function& function, const FunctionView& view,
                             const FunctionChange& change) {
  return FunctionChanger(view, change).run(function);
}

std::string changed_call(const Node& node, const FunctionCaller* caller,
                         std::vector<std::string> inputs, const std::vector<DType>& added,
                         size_t taken) {
  NodeEditor editor(node);
  editor.set_inputs(std::move(inputs));
  if (caller == nullptr) return editor.finish();
  std::vector<int> types;
  AttrValue(find_attr(node, caller->inputs).value_or(""))
      .each_number(AttrKind::kType, [&](int64_t type) { types.push_back(static_cast<int>(type)); });
  types.resize(types.size() - std::min(taken, types.size()));
  for (const DType dtype : added) types.push_back(static_cast<int>(dtype));
  editor.set_attr(caller->inputs, type_list_value(types));
  for (const std::string_view key : {"output_shapes", "_output_shapes"}) {
    const auto shapes = caller->loop() ? find_attr(node, key) : std::nullopt;
    if (shapes) editor.set_attr(key, changed_shapes(*shapes, added.size(), taken));
  }
  return editor.finish();
}

}  // namespace cryo
