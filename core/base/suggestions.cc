#include "base/suggestions.h"

#include <algorithm>

#include "base/sort.h"
#include "base/text.h"

namespace cryo {
namespace {

// Longer names are compared by substrings, not by counting letters.
constexpr size_t kLongest = 256;
constexpr size_t kNotNear = SIZE_MAX;

// Letters to change, add or take away to make one of the other (Levenshtein).
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

size_t nearness(std::string_view wanted, std::string_view name) {
  if (wanted.empty() || wanted.size() > kLongest || name.size() > kLongest) return kNotNear;
  const size_t most = wanted.size() < 3 ? 0 : wanted.size() / 3;
  const size_t apart =
      wanted.size() > name.size() ? wanted.size() - name.size() : name.size() - wanted.size();
  if (apart <= most) {
    const size_t letters = distance(wanted, name);
    if (letters <= most) return letters;
  }
  const bool within = wanted.size() >= 3 && name.find(wanted) != std::string_view::npos;
  return within ? kLongest + name.size() : kNotNear;
}

}  // namespace

std::vector<std::string> suggestions(std::string_view wanted,
                                     const std::vector<std::string_view>& names, size_t most) {
  std::vector<std::pair<size_t, std::string_view>> found;
  for (const std::string_view name : names) {
    const size_t near = nearness(wanted, name);
    if (near != kNotNear) found.emplace_back(near, name);
  }
  sort(found);
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(most, found.size()); ++i) nearest.emplace_back(found[i].second);
  return nearest;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string_view>& names) {
  const std::vector<std::string> nearest = suggestions(wanted, names);
  return nearest.empty() ? "" : cat(" (did you mean ", join(nearest, " or "), "?)");
}

}  // namespace cryo
