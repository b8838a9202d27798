#include "base/pattern/rename.h"

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

// Length of the star at the beginning of a glob: 2 for `**`, 0 for none.
size_t star_at(std::string_view glob) {
  return glob.starts_with("**") ? 2 : glob.starts_with('*') ? 1 : 0;
}

size_t count_stars(std::string_view glob) {
  size_t count = 0;
  for (size_t i = 0; i < glob.size(); ++i) {
    const size_t star = star_at(glob.substr(i));
    if (star == 0) continue;
    ++count;
    i += star - 1;
  }
  return count;
}

std::string filled(std::string_view to, const std::vector<std::string_view>& taken) {
  std::string name;
  size_t place = 0;
  while (!to.empty()) {
    const size_t star = star_at(to);
    if (star > 0) name += taken[place++];
    if (star == 0) name += to.front();
    to.remove_prefix(star > 0 ? star : 1);
  }
  return name;
}

// Returns a group's number, after a backslash; -1 for any other character.
int group_at(std::string_view to) {
  const bool digit = to.size() > 1 && to[0] == '\\' && to[1] >= '0' && to[1] <= '9';
  return digit ? to[1] - '0' : -1;
}

// `taken` are the groups of an expression, and what it found of the name is replaced.
std::string replaced(std::string_view name, std::string_view to,
                     const std::vector<std::string_view>& taken) {
  const auto begin = static_cast<size_t>(taken[0].data() - name.data());
  std::string made(name.substr(0, begin));
  for (size_t i = 0; i < to.size(); ++i) {
    const int group = group_at(to.substr(i));
    if (group >= 0) made += taken[static_cast<size_t>(group)];
    if (to[i] == '\\') ++i;
    if (group < 0) made += to[i];
  }
  made += name.substr(begin + taken[0].size());
  return made;
}

// Returns what is wrong with the groups that TO refers to; empty if nothing is.
std::string_view fault_of(std::string_view to, const Regex& regex) {
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == '*') return "expected \\1 and no stars in TO, where FROM is an expression";
    if (group_at(to.substr(i)) > static_cast<int>(regex.groups())) {
      return "expected no group in TO that the expression has not";
    }
    if (to[i] == '\\' && ++i == to.size()) return "expected no \\ at the end of TO";
  }
  return {};
}

// Returns the position of the = in FROM=TO: after the slash that ends an expression, else the first
// one.
size_t place_of_equals(std::string_view text) {
  if (!text.starts_with('/')) return text.find('=');
  for (size_t at = text.find("/=", 1); at != std::string_view::npos; at = text.find("/=", at + 1)) {
    if (text[at - 1] != '\\') return at + 1;
  }
  return std::string_view::npos;
}

Failure bad_rule(std::string_view what, const std::string& text) {
  return failure("bad-option", cat(what, "; found " OPTION("--rename", "") " ", quoted(text)), {},
                 "write it " SETTING("--rename", "old/**=new/**"));
}

}  // namespace

Result<std::vector<RenameRule>> parse_rename_rules(const std::vector<std::string>& texts) {
  std::vector<RenameRule> rules;
  for (const std::string& text : texts) {
    const size_t equals = place_of_equals(text);
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return bad_rule("expected a rule FROM=TO", text);
    }
    TRY(from, Glob::parse(std::string_view(text).substr(0, equals)));
    RenameRule rule{std::move(from), text.substr(equals + 1), text};
    if (const Regex* regex = rule.from.regex()) {
      const std::string_view fault = fault_of(rule.to, *regex);
      if (!fault.empty()) return bad_rule(fault, text);
    } else if (count_stars(rule.to) > count_stars(rule.from.text())) {
      return bad_rule("expected no more stars in TO than FROM has", text);
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

Renamed renamed(const RenameRule& rule, std::string_view name) {
  std::vector<std::string_view> taken;
  if (const Regex* regex = rule.from.regex()) {
    if (regex->finds(name, taken)) return {replaced(name, rule.to, taken), &rule};
  } else if (matches(rule.from.text(), name, taken)) {
    return {filled(rule.to, taken), &rule};
  }
  return {std::string(name)};
}

Renamed renamed(const std::vector<RenameRule>& rules, std::string_view name) {
  for (const RenameRule& rule : rules) {
    Renamed to = renamed(rule, name);
    if (to.rule != nullptr) return to;
  }
  return {std::string(name)};
}

}  // namespace cryo
