#include "picture/groups/sections.h"

#include <algorithm>
#include <unordered_map>

namespace cryo {
namespace {

constexpr size_t kMaxUnits = 60;  // of a group
constexpr size_t kSections = 24;  // of one that has more, about
constexpr size_t kSmallest = 8;   // units of a section
constexpr size_t kLargest = 3;    // times the wanted size, where no place is right

std::vector<uint32_t> units_of(const GroupTree& tree, uint32_t group) {
  std::vector<uint32_t> units;
  for (const uint32_t unit : tree.units(group)) {
    if (!tree.is_tray(unit)) units.push_back(unit);
  }
  return units;
}

// Returns for each place the last place that an edge connects with it or with an earlier place.
std::vector<size_t> find_reach(const GroupTree& tree, uint32_t group,
                               const std::vector<uint32_t>& units) {
  std::unordered_map<uint32_t, size_t> places;
  for (size_t at = 0; at < units.size(); ++at) places[units[at]] = at;
  std::vector<size_t> reach(units.size(), 0);
  for (const UnitEdge& edge : tree.edges(group)) {
    if (tree.is_tray(edge.from) || tree.is_tray(edge.to)) continue;
    const size_t one = places[edge.from];
    const size_t other = places[edge.to];
    const size_t first = std::min(one, other);
    reach[first] = std::max(reach[first], std::max(one, other));
  }
  for (size_t at = 1; at < reach.size(); ++at) reach[at] = std::max(reach[at], reach[at - 1]);
  return reach;
}

std::vector<GroupTree::Part> sections_of(const GroupTree& tree, uint32_t group) {
  const std::vector<uint32_t> units = units_of(tree, group);
  const std::vector<size_t> reach = find_reach(tree, group, units);
  const size_t wanted = std::max(kSmallest, (units.size() + kSections - 1) / kSections);
  std::vector<GroupTree::Part> parts;
  GroupTree::Part part;
  for (size_t at = 0; at < units.size(); ++at) {
    part.push_back(units[at]);
    const size_t size = part.size();
    const bool separates = reach[at] <= at + 1;
    if ((size < wanted || !separates) && size < kLargest * wanted && at + 1 < units.size())
      continue;
    if (size > 1) parts.push_back(part);
    part.clear();
  }
  return parts;
}

}  // namespace

void divide_large_groups(GroupTree& tree) {
  for (uint32_t group = 0; group < tree.groups().size(); ++group) {
    if (tree.units(group).size() <= kMaxUnits) continue;
    tree.gather(group, GroupKind::kSection, sections_of(tree, group));
  }
}

}  // namespace cryo
