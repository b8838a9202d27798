#include "picture/groups/repeats.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sort.h"
#include "graph/roles.h"

namespace cryo {
namespace {

constexpr size_t kFewest = 3;          // groups of a chain
constexpr size_t kLongestPeriod = 4;   // units that repeat together
constexpr size_t kManyUnits = 12;      // of a group in which such are looked for
constexpr size_t kFewestParallel = 4;  // units side by side

// The chains of a group, each from its first unit.
std::vector<GroupTree::Part> find_chains(const GroupTree& tree, uint32_t group) {
  std::map<uint32_t, uint32_t> next;
  std::set<uint32_t> followed;
  for (const UnitEdge& edge : tree.edges(group)) {
    if (tree.is_node(edge.from) || tree.is_node(edge.to)) continue;
    const bool equal = tree.structure(edge.from) == tree.structure(edge.to) &&
                       tree.rank(edge.from) < tree.rank(edge.to);
    if (equal && !next.contains(edge.from) && followed.insert(edge.to).second)
      next.emplace(edge.from, edge.to);
  }
  std::vector<GroupTree::Part> chains;
  for (const auto& [first, second] : next) {
    if (followed.contains(first)) continue;
    std::vector<uint32_t> units = {first};
    for (auto at = next.find(first); at != next.end(); at = next.find(at->second))
      units.push_back(at->second);
    if (units.size() < kFewest) continue;
    chains.push_back(std::move(units));
  }
  return chains;
}

// Returns true if the unit at `at` gives a result to the next one.
bool is_chain(const GroupTree& tree, uint32_t group, const std::vector<uint32_t>& units,
              size_t at) {
  const std::vector<UnitEdge>& edges = tree.edges(group);
  const UnitEdge wanted{units[at], units[at + 1]};
  return std::binary_search(edges.begin(), edges.end(), wanted,
                            [](const UnitEdge& a, const UnitEdge& b) {
                              return std::pair(a.from, a.to) < std::pair(b.from, b.to);
                            });
}

bool has_group(const GroupTree& tree, const std::vector<uint32_t>& units, size_t at, size_t count) {
  const auto first = units.begin() + static_cast<std::ptrdiff_t>(at);
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(count),
                     [&](uint32_t unit) { return !tree.is_node(unit); });
}

using Structures = std::vector<uint64_t>;

// Returns, for each unit, the number of units from it on that equal the one a period later.
std::vector<size_t> equal_after(const Structures& structures, size_t period) {
  std::vector<size_t> equal(structures.size() + 1, 0);
  for (size_t at = structures.size(); at-- > 0;) {
    const bool same = at + period < structures.size() && structures[at] == structures[at + period];
    if (same) equal[at] = equal[at + 1] + 1;
  }
  return equal;
}

// Runs in which the same few units, a group among them, come again and again: each time they are
// one part.
std::vector<GroupTree::Part> find_periods(const GroupTree& tree, uint32_t group) {
  const std::vector<uint32_t>& units = tree.units(group);
  Structures structures;
  structures.reserve(units.size());
  for (const uint32_t unit : units) structures.push_back(tree.structure(unit));
  std::vector<std::vector<size_t>> equal;
  for (size_t period = 0; period <= kLongestPeriod; ++period)
    equal.push_back(equal_after(structures, period));
  std::vector<GroupTree::Part> parts;
  size_t end = 0;  // of the chain that `at` is in
  for (size_t at = 0; at + 1 < units.size();) {
    if (at >= end) end = at + 1;
    while (end < units.size() && is_chain(tree, group, units, end - 1)) ++end;
    size_t taken = 0;
    for (size_t period = 2; period <= kLongestPeriod && taken == 0; ++period) {
      const size_t same = std::min(end - at, period + equal[period][at]);
      if (same < kFewest * period || !has_group(tree, units, at, period)) continue;
      for (; taken + period <= same; taken += period) {
        const auto first = units.begin() + static_cast<std::ptrdiff_t>(at + taken);
        parts.emplace_back(first, first + static_cast<std::ptrdiff_t>(period));
      }
    }
    at += std::max<size_t>(taken, 1);
  }
  return parts;
}

// An input of the graph is drawn by itself.
bool can_be_stacked(const GroupTree& tree, uint32_t unit) {
  return !tree.is_tray(unit) && !(tree.is_node(unit) && is_placeholder(tree.scene().node(unit).op));
}

// The units of a group that can be stacked and whose structure enough others of these have.
std::vector<uint32_t> frequent_units(const GroupTree& tree, uint32_t group) {
  std::vector<uint32_t> units;
  Structures structures;
  if (tree.units(group).size() < kFewestParallel) return units;
  for (const uint32_t unit : tree.units(group)) {
    if (!can_be_stacked(tree, unit)) continue;
    units.push_back(unit);
    structures.push_back(tree.structure(unit));
  }
  sort(structures);
  std::erase_if(units, [&](uint32_t unit) {
    const auto [first, last] =
        std::equal_range(structures.begin(), structures.end(), tree.structure(unit));
    return static_cast<size_t>(last - first) < kFewestParallel;
  });
  return units;
}

// Units of equal structure, between the same units of the group.
std::vector<GroupTree::Part> find_parallel(const GroupTree& tree, uint32_t group) {
  using Neighbors = std::vector<std::pair<uint32_t, bool>>;
  const std::vector<uint32_t> candidates = frequent_units(tree, group);
  if (candidates.empty()) return {};
  std::unordered_map<uint32_t, Neighbors> neighbors;
  for (const uint32_t unit : candidates) neighbors.emplace(unit, Neighbors());
  const auto add = [&](uint32_t unit, uint32_t other, bool is_taken) {
    const auto found = neighbors.find(unit);
    if (found != neighbors.end()) found->second.emplace_back(other, is_taken);
  };
  for (const UnitEdge& edge : tree.edges(group)) {
    add(edge.from, edge.to, true);
    add(edge.to, edge.from, false);
  }
  std::map<std::pair<uint64_t, Neighbors>, std::vector<uint32_t>> alike;
  for (const uint32_t unit : candidates) {
    Neighbors& around = neighbors.at(unit);
    sort(around);
    alike[{tree.structure(unit), std::move(around)}].push_back(unit);
  }
  std::vector<GroupTree::Part> parts;
  for (const auto& [key, units] : alike) {
    if (units.size() >= kFewestParallel && units.size() < tree.units(group).size())
      parts.push_back(units);
  }
  return parts;
}

}  // namespace

void stack_repeats(GroupTree& tree) {
  const auto count = static_cast<uint32_t>(tree.groups().size());
  for (uint32_t group = 0; group < count; ++group) {
    if (tree.units(group).size() < kFewest || tree.groups()[group].kind == GroupKind::kStack)
      continue;
    if (tree.units(group).size() >= kManyUnits) {
      const std::vector<GroupTree::Part> periods = find_periods(tree, group);
      if (!periods.empty()) tree.gather(group, GroupKind::kSection, periods);
    }
    const std::vector<GroupTree::Part> chains = find_chains(tree, group);
    if (!chains.empty()) tree.gather(group, GroupKind::kStack, chains);
    const std::vector<GroupTree::Part> parallel = find_parallel(tree, group);
    if (!parallel.empty()) tree.gather(group, GroupKind::kStack, parallel);
  }
}

}  // namespace cryo
