#include "picture/groups/call_names.h"

#include "graph/functions/function_callers.h"

namespace cryo {
namespace {

std::string_view without_number(std::string_view name) {
  const size_t end = name.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == name.size() || name[end] != '_') return name;
  return name.substr(0, end);
}

}  // namespace

bool is_name_of_call(std::string_view part) { return is_call(without_number(part)); }

std::string_view without_calls(std::string_view name) {
  while (true) {
    const size_t slash = name.find('/');
    if (slash == std::string_view::npos || !is_name_of_call(name.substr(0, slash))) return name;
    name.remove_prefix(slash + 1);
  }
}

std::string_view function_title(std::string_view function) {
  constexpr std::string_view kPrefix = "__inference_";
  if (function.starts_with(kPrefix)) function.remove_prefix(kPrefix.size());
  return without_number(function.substr(0, function.find("_layer_call_")));
}

}  // namespace cryo
