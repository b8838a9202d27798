#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cryo {

// A rule for names, "FROM=TO": what matches the glob FROM is called TO, in which each star stands
// for what FROM's star of the same place took.
//
//     old/**=new/**          old/conv/w   ->  new/conv/w
//     block*/*=b*_*          block1/bias  ->  b1_bias
struct RenameRule {
  std::string from = {};
  std::string to = {};
  std::string text = {};  // as it was given
};

// "bad-option" where one is not FROM=TO, or TO has more stars than FROM.
Result<std::vector<RenameRule>> parse_rename_rules(const std::vector<std::string>& texts);

// What the first rule that matches makes of the name, and that rule; the name itself and nullptr
// where none does.
struct Renamed {
  std::string name = {};
  const RenameRule* rule = nullptr;
};
Renamed renamed(const std::vector<RenameRule>& rules, std::string_view name);

}  // namespace cryo
