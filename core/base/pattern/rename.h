#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/pattern/glob.h"

namespace cryo {

// A rule for names, "FROM=TO": a name that matches the glob FROM becomes TO, in which each star is
// replaced by the match of FROM's star with the same index.
//
//     old/**=new/**          old/conv/w   ->  new/conv/w
//     block*/*=b*_*          block1/bias  ->  b1_bias
//
// If FROM is a /regular expression/, the part of the name that it finds becomes TO and the rest is
// kept, as in sed's s/FROM/TO/. In TO, \1 ... \9 are the matches of groups, \0 the whole match, and
// \ before another character is that character.
//
//     /block(\d+)/=b\1       net/block12/bias  ->  net/b12/bias
struct RenameRule {
  Glob from;
  std::string to = {};
  std::string text = {};  // as written
};

// "bad-option" where one is not FROM=TO, where TO has more stars than FROM, or a star or a group
// that the expression has not.
Result<std::vector<RenameRule>> parse_rename_rules(const std::vector<std::string>& texts);

// A name after the first rule that matches it, and that rule; the name itself and nullptr if no
// rule matches.
struct Renamed {
  std::string name = {};
  const RenameRule* rule = nullptr;
};
Renamed renamed(const std::vector<RenameRule>& rules, std::string_view name);
Renamed renamed(const RenameRule& rule, std::string_view name);

}  // namespace cryo
