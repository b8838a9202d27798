#include "base/glob.h"

#include <algorithm>

namespace cryo {

// Remembers the last star, and on a mismatch lets it take one character more: linear in practice,
// quadratic at worst.
bool matches(std::string_view glob, std::string_view name) {
  constexpr size_t kNone = std::string_view::npos;
  size_t g = 0, n = 0;
  size_t star = kNone, star_name = 0;  // after a `*`: where the glob goes on, and what it took
  size_t wide_star = kNone, wide_star_name = 0;  // the same for `**`
  while (n < name.size() || g < glob.size()) {
    if (glob.substr(g, 2) == "**") {
      wide_star = g += 2;
      wide_star_name = n;
      star = kNone;
    } else if (g < glob.size() && glob[g] == '*') {
      star = ++g;
      star_name = n;
    } else if (g < glob.size() && n < name.size() && glob[g] == name[n]) {
      ++g;
      ++n;
    } else if (star != kNone && star_name < name.size() && name[star_name] != '/') {
      g = star;
      n = ++star_name;
    } else if (wide_star != kNone && wide_star_name < name.size()) {
      g = wide_star;
      n = ++wide_star_name;
      star = kNone;
    } else {
      return false;
    }
  }
  return true;
}

bool matches_any(const std::vector<std::string>& globs, std::string_view name) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return matches(glob, name); });
}

}  // namespace cryo
