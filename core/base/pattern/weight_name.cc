#include "base/pattern/weight_name.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {
namespace {

// "/read:0" of "a/read:0" and of "**/read:0"; of an /expression/ only where its end is anchored.
std::string_view ending_of(const Glob& glob) {
  std::string_view text = glob.text();
  if (glob.regex() != nullptr) {
    text.remove_suffix(1);
    if (!text.ends_with('$')) return {};
    text.remove_suffix(1);
  }
  return text.substr(plain_weight_name(text).size());
}

// The form of a weight's name that the glob is written for; empty where it has no ending.
std::string form_for(const Glob& glob, std::string_view weight) {
  const std::string_view ending = ending_of(glob);
  return ending.empty() ? std::string() : cat(plain_weight_name(weight), ending);
}

}  // namespace

std::string_view plain_weight_name(std::string_view name) {
  if (name.size() > 2 && name.ends_with(":0")) name.remove_suffix(2);
  for (const std::string_view ending :
       {"/.ATTRIBUTES/VARIABLE_VALUE", "/Read/ReadVariableOp", "/ReadVariableOp", "/read"}) {
    if (!name.ends_with(ending) || name.size() == ending.size()) continue;
    name.remove_suffix(ending.size());
    break;
  }
  return name;
}

bool names_weight(const Glob& glob, std::string_view weight) {
  if (glob.matches(weight) || glob.matches(plain_weight_name(weight))) return true;
  const std::string form = form_for(glob, weight);
  return !form.empty() && glob.matches(form);
}

bool any_names_weight(const Globs& globs, std::string_view weight) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const Glob& glob) { return names_weight(glob, weight); });
}

Renamed renamed_weight(const std::vector<RenameRule>& rules, std::string_view weight) {
  for (const RenameRule& rule : rules) {
    Renamed to = renamed(rule, weight);
    const std::string form = to.rule == nullptr ? form_for(rule.from, weight) : std::string();
    if (!form.empty()) to = renamed(rule, form);
    if (to.rule != nullptr) return to;
  }
  return {std::string(weight)};
}

}  // namespace cryo
