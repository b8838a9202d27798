#include "base/pattern/weight_name.h"

#include "base/text.h"

namespace cryo {
namespace {

// The form of a weight's name that the glob is written for; empty where it has no ending.
std::string form_for(const Glob& glob, std::string_view weight) {
  const std::string_view ending = ending_of_weight(glob);
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

std::string_view ending_of_weight(const Glob& glob) {
  std::string_view text = glob.text();
  if (glob.regex() != nullptr) {
    text.remove_suffix(1);
    if (!text.ends_with('$')) return {};
    text.remove_suffix(1);
  }
  return text.substr(plain_weight_name(text).size());
}

bool names_weight(const Glob& glob, std::string_view weight) {
  if (glob.matches(weight) || glob.matches(plain_weight_name(weight))) return true;
  const std::string form = form_for(glob, weight);
  return !form.empty() && glob.matches(form);
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
