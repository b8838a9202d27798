#include "formats/tflite/tflite_source.h"

#include <charconv>
#include <system_error>

namespace cryo {
namespace {

bool take_number(std::string_view& text, size_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
  return true;
}

}  // namespace

// "T0", "O1": a type; "R0": a rank; "D0_3", "DO_1": a size.
std::optional<RewriteValue> TfliteSource::type_or_size(std::string_view name) const {
  if (name == "T") name = "T0";
  const char kind = name[0];
  if ((kind != 'T' && kind != 'O' && kind != 'R' && kind != 'D') || name.size() < 2) return {};
  name.remove_prefix(1);
  const bool of_output = kind == 'O' || (kind == 'D' && name[0] == 'O');
  size_t place = 0;
  if (kind == 'D' && of_output) {
    name.remove_prefix(1);
  } else if (!take_number(name, place)) {
    return {};
  }
  const TfliteTensor* found = of_output ? call_.output(place) : call_.input(place);
  if (found == nullptr) return {};
  if (kind == 'R') return rule_number(static_cast<int64_t>(found->shape.dims.size()));
  if (kind == 'T' || kind == 'O') {
    return RewriteValue{.kind = AttrKind::kType,
                        .numbers = {static_cast<int64_t>(graph_type(*found))}};
  }
  size_t axis = 0;
  if (!name.starts_with('_')) return {};
  name.remove_prefix(1);
  if (!take_number(name, axis) || axis >= found->shape.dims.size()) return {};
  return rule_number(found->shape.dims[axis]);
}

std::optional<RewriteValue> TfliteSource::value(std::string_view name) const {
  if (auto found = call_.of.options.value(name)) return found;
  if (auto found = type_or_size(name)) return found;
  if (auto found = tflite_fact(call_, name)) return found;
  return stablehlo_fact(call_, name);
}

}  // namespace cryo
