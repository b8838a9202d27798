#include "graph/functions/captures.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/text.h"
#include "graph/attr_value.h"
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

}  // namespace

std::vector<Capture> captured_by(const Function& function, const FunctionBody& view) {
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

void add_captures(FunctionEditor& editor, const std::vector<Capture>& captures, bool is_loop_body) {
  for (const Capture& each : captures) {
    editor.arg_attrs.push_back(capture_entry(editor.inputs.size(), each));
    editor.add_argument(each.arg, each.dtype);
    if (is_loop_body) editor.add_output(cat(each.arg, "_returned"), each.dtype, each.arg);
  }
}

void remove_captures(FunctionEditor& editor, size_t count, bool is_loop_body) {
  editor.remove_arguments(last_places(editor.inputs.size(), count), is_loop_body);
}

std::vector<bool> last_places(size_t arguments, size_t count) {
  std::vector<bool> places(arguments, false);
  std::fill(places.end() - static_cast<std::ptrdiff_t>(std::min(count, arguments)), places.end(),
            true);
  return places;
}

}  // namespace cryo
