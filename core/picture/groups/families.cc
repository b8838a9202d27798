#include "picture/groups/families.h"

#include <algorithm>
#include <map>

#include "base/sort.h"
#include "base/text.h"

namespace cryo {
namespace {

constexpr size_t kManyForFamilies = 12;  // units of a group
constexpr size_t kFewestOfFamily = 3;

using Words = std::vector<std::string_view>;

Words words_of(std::string_view name) {
  Words words;
  while (!name.empty()) {
    const size_t end = std::min(name.find('_'), name.size());
    words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

size_t common_words(const Words& a, const Words& b) {
  size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  return same;
}

// The units of a group that may be in a family, with the words of their names.
struct Named {
  std::vector<uint32_t> units = {};
  std::vector<std::string> labels = {};
  std::vector<Words> words = {};
};

Named named_units(const GroupTree& tree, uint32_t group) {
  Named named;
  for (const uint32_t unit : tree.units(group)) {
    if (tree.is_aside(unit) || (tree.is_node(unit) && tree.ways().pins[unit])) continue;
    named.units.push_back(unit);
    named.labels.push_back(tree.unit_label(unit));
  }
  for (const std::string& label : named.labels) named.words.push_back(words_of(label));
  return named;
}

// The places of the units whose names have one word after the words that all share.
struct Family {
  size_t first = 0;
  size_t last = 0;
  size_t count = 0;
  size_t common = 0;  // words that all its names begin with
};

// A family is found if most units between its first and its last are its own: those that are not
// (an activation without a name of its own) belong to it as well.
bool is_family(const Family& family, size_t units) {
  const size_t span = family.last - family.first + 1;
  return family.count >= kFewestOfFamily && span < units && family.count * 3 >= span * 2;
}

// The families of the units whose names begin with these words.
std::map<std::string_view, Family> count_families(const Named& named, const Words& prefix) {
  std::map<std::string_view, Family> families;
  for (size_t at = 0; at < named.units.size(); ++at) {
    const Words& words = named.words[at];
    if (words.size() <= prefix.size() || common_words(words, prefix) < prefix.size()) continue;
    const auto [found, is_new] =
        families.try_emplace(words[prefix.size()], Family{at, at, 0, words.size()});
    Family& family = found->second;
    family.last = at;
    ++family.count;
    family.common = std::min(family.common, common_words(words, named.words[family.first]));
  }
  return families;
}

// The words that most names begin with: those of the group itself.
Words common_prefix(const Named& named) {
  Words prefix;
  while (true) {
    const std::map<std::string_view, Family> families = count_families(named, prefix);
    const auto most = std::max_element(
        families.begin(), families.end(),
        [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
    if (most == families.end() || most->second.count * 3 < named.units.size() * 2) return prefix;
    prefix.push_back(most->first);
  }
}

// "block1"; with what precedes a number: "conv_7".
std::string family_label(const Words& words, size_t from, size_t to) {
  const auto is_number = [](std::string_view word) { return word[0] >= '0' && word[0] <= '9'; };
  while (from > 0 && !words[from].empty() && is_number(words[from])) --from;
  return join({words.begin() + static_cast<std::ptrdiff_t>(from),
               words.begin() + static_cast<std::ptrdiff_t>(to)},
              "_");
}

std::vector<GroupTree::Part> families_of(const Named& named) {
  const Words prefix = common_prefix(named);
  std::vector<Family> found;
  for (const auto& [word, family] : count_families(named, prefix)) {
    if (is_family(family, named.units.size())) found.push_back(family);
  }
  sort(found, [](const Family& a, const Family& b) { return a.first < b.first; });
  std::vector<GroupTree::Part> parts;
  size_t end = 0;
  for (const Family& family : found) {
    if (family.first < end) continue;
    end = family.last + 1;
    parts.push_back({{named.units.begin() + static_cast<std::ptrdiff_t>(family.first),
                      named.units.begin() + static_cast<std::ptrdiff_t>(end)},
                     family_label(named.words[family.first], prefix.size(), family.common)});
  }
  return parts;
}

}  // namespace

void gather_families(GroupTree& tree) {
  for (uint32_t group = 0; group < tree.groups().size(); ++group) {
    if (tree.units(group).size() < kManyForFamilies) continue;
    const std::vector<GroupTree::Part> parts = families_of(named_units(tree, group));
    if (!parts.empty()) tree.gather(group, GroupKind::kSection, parts);
  }
}

}  // namespace cryo
