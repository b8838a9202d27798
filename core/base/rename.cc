#include "base/rename.h"

#include "base/glob.h"
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

Failure bad_rule(std::string_view what, const std::string& text) {
  return failure("bad-option", cat(what, "; found --rename ", quoted(text)), {},
                 "write it --rename 'old/**=new/**'");
}

}  // namespace

Result<std::vector<RenameRule>> parse_rename_rules(const std::vector<std::string>& texts) {
  std::vector<RenameRule> rules;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return bad_rule("expected a rule FROM=TO", text);
    }
    RenameRule rule{text.substr(0, equals), text.substr(equals + 1), text};
    if (count_stars(rule.to) > count_stars(rule.from)) {
      return bad_rule("expected no more stars in TO than FROM has", text);
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

Renamed renamed(const std::vector<RenameRule>& rules, std::string_view name) {
  std::vector<std::string_view> taken;
  for (const RenameRule& rule : rules) {
    if (matches(rule.from, name, taken)) return {filled(rule.to, taken), &rule};
  }
  return {std::string(name)};
}

}  // namespace cryo
