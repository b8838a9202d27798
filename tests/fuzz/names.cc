// Globs, regular expressions and rules for names. A regular expression finds what std::regex finds;
// a star's takings fill it to the name; renaming by a rule back and forth is the name.

#include <fuzzer/FuzzedDataProvider.h>

#include <regex>

#include "base/pattern/rename.h"
#include "input.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

// Returns true for a pattern that both read alike. std::regex backtracks: long ones take too long,
// and groups that repeat, as (|.(|))*.
bool is_common(std::string_view pattern) {
  constexpr std::string_view kSame = "abcABC01_/-.()|*+?^$";
  const bool repeats_group =
      pattern.find(")*") != std::string_view::npos || pattern.find(")+") != std::string_view::npos;
  return pattern.size() <= (repeats_group ? 6 : 16) &&
         pattern.find_first_not_of(kSame) == std::string_view::npos;
}

// Their . is no line end.
bool is_line(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

void compare_regex(std::string_view pattern, std::string_view text) {
  const auto ours = Regex::parse(pattern);
  if (!ours) return;
  std::vector<std::string_view> taken;
  const bool found = ours->finds(text, taken);
  assert(found == ours->finds(text));
  if (!is_common(pattern) || text.size() > 16 || !is_line(text)) return;
  const std::string copy(text);
  std::smatch match;
  try {
    const std::regex theirs(std::string(pattern), std::regex::ECMAScript);
    assert(std::regex_search(copy, match, theirs) == found);
    assert(!found || match.str(0) == taken[0]);
  } catch (const std::regex_error&) {
    return;  // it refuses ^*
  }
}

void check_glob(std::string_view glob, std::string_view name) {
  std::vector<std::string_view> taken;
  const bool found = matches(glob, name, taken);
  assert(found == matches(glob, name));
  if (!found || glob == "*") return;
  // The glob with its stars filled is the name.
  std::string filled;
  size_t star = 0;
  for (size_t at = 0; at < glob.size(); ++at) {
    if (glob[at] != '*') {
      filled += glob[at];
      continue;
    }
    if (at + 1 < glob.size() && glob[at + 1] == '*') ++at;
    assert(star < taken.size());
    filled += taken[star++];
  }
  assert(filled == name);
}

}  // namespace

void fuzz_names(std::string_view input) {
  FuzzedDataProvider choices(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  const std::string pattern = choices.ConsumeRandomLengthString(200);
  const std::string name = choices.ConsumeRandomLengthString(200);
  check_glob(pattern, name);
  compare_regex(pattern, name);
  const auto rules = parse_rename_rules({pattern, choices.ConsumeRemainingBytesAsString()});
  if (!rules) return;
  const Renamed once = renamed(*rules, name);
  assert(once.rule != nullptr || once.name == name);
}

}  // namespace cryo::fuzz
