#include "base/pattern/glob.h"

namespace cryo {

// Remembers the last star, and on a mismatch lets it take one character more: linear in practice,
// quadratic at worst.
bool matches(std::string_view glob, std::string_view name, std::vector<std::string_view>& taken) {
  if (glob == "*") glob = "**";
  constexpr size_t kNone = std::string_view::npos;
  size_t g = 0, n = 0;
  // After a `*`: where the glob goes on, what it took, and its place among the stars.
  size_t star = kNone, star_name = 0, star_place = 0;
  size_t wide_star = kNone, wide_star_name = 0, wide_star_place = 0;  // the same for `**`
  const auto took = [&](size_t place, size_t end) {
    const auto begin = static_cast<size_t>(taken[place].data() - name.data());
    taken.resize(place + 1);
    taken[place] = name.substr(begin, end - begin);
  };
  taken.clear();
  while (n < name.size() || g < glob.size()) {
    if (glob.substr(g, 2) == "**") {
      wide_star = g += 2;
      wide_star_name = n;
      wide_star_place = taken.size();
      taken.push_back(name.substr(n, 0));
      star = kNone;
    } else if (g < glob.size() && glob[g] == '*') {
      star = ++g;
      star_name = n;
      star_place = taken.size();
      taken.push_back(name.substr(n, 0));
    } else if (g < glob.size() && n < name.size() && glob[g] == name[n]) {
      ++g;
      ++n;
    } else if (star != kNone && star_name < name.size() && name[star_name] != '/') {
      g = star;
      n = ++star_name;
      took(star_place, n);
    } else if (wide_star != kNone && wide_star_name < name.size()) {
      g = wide_star;
      n = ++wide_star_name;
      took(wide_star_place, n);
      star = kNone;
    } else {
      return false;
    }
  }
  return true;
}

bool matches(std::string_view glob, std::string_view name) {
  std::vector<std::string_view> taken;
  return matches(glob, name, taken);
}

Result<Glob> Glob::parse(std::string_view text) {
  Glob glob(text);
  if (text.size() < 2 || text.front() != '/' || text.back() != '/') return glob;
  TRY(regex, Regex::parse(text.substr(1, text.size() - 2)));
  glob.regex_ = std::make_shared<const Regex>(std::move(regex));
  return glob;
}

bool matches_any(const Globs& globs, std::string_view name) {
  for (const Glob& glob : globs) {
    if (glob.matches(name)) return true;
  }
  return false;
}

}  // namespace cryo
