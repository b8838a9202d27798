#pragma once

#include <span>
#include <string_view>

namespace cryo {

// A diagnostic's code, what to do about it where the finding itself does not say it better, and
// what it means.
struct CodeInfo {
  std::string_view code;
  std::string_view fix;
  std::string_view explanation;
};

// The codes of `validate`, sorted: what `--explain CODE` prints, and where fixes come from.
std::span<const CodeInfo> code_table();

// nullptr for a code that is not in the table.
const CodeInfo* find_code(std::string_view code);

}  // namespace cryo
