#include "layout/repeats.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"

namespace cryo {
namespace {

constexpr size_t kFewest = 3;          // groups of a chain
constexpr size_t kFewestParallel = 4;  // units side by side

std::string stack_label(const GroupTree& tree, const std::vector<uint32_t>& units) {
  if (tree.is_node(units.front())) return std::string(tree.scene().node(units.front()).op);
  return cat(tree.label(tree.group_of_unit(units.front())), " … ",
             tree.label(tree.group_of_unit(units.back())));
}

// The chains of a group, each from its first unit.
std::vector<GroupTree::Part> find_chains(const GroupTree& tree, uint32_t group) {
  std::map<uint32_t, uint32_t> next;
  std::set<uint32_t> followed;
  for (const UnitEdge& edge : tree.edges(group)) {
    if (tree.is_node(edge.from) || tree.is_node(edge.to) || next.contains(edge.from)) continue;
    const bool equal = tree.structure(edge.from) == tree.structure(edge.to) &&
                       tree.rank(edge.from) < tree.rank(edge.to);
    if (equal && followed.insert(edge.to).second) next.emplace(edge.from, edge.to);
  }
  std::vector<GroupTree::Part> chains;
  for (const auto& [first, second] : next) {
    if (followed.contains(first)) continue;
    std::vector<uint32_t> units = {first};
    for (auto at = next.find(first); at != next.end(); at = next.find(at->second))
      units.push_back(at->second);
    if (units.size() < kFewest) continue;
    chains.push_back({units, stack_label(tree, units)});
  }
  return chains;
}

// Units of equal structure, between the same units of the group.
std::vector<GroupTree::Part> find_parallel(const GroupTree& tree, uint32_t group) {
  using Neighbors = std::vector<std::pair<uint32_t, bool>>;
  std::map<uint32_t, Neighbors> neighbors;
  for (const UnitEdge& edge : tree.edges(group)) {
    neighbors[edge.from].emplace_back(edge.to, true);
    neighbors[edge.to].emplace_back(edge.from, false);
  }
  std::map<std::pair<uint64_t, Neighbors>, std::vector<uint32_t>> alike;
  for (const uint32_t unit : tree.units(group)) {
    if (tree.is_tray(unit)) continue;
    Neighbors& around = neighbors[unit];
    std::sort(around.begin(), around.end());
    alike[{tree.structure(unit), around}].push_back(unit);
  }
  std::vector<GroupTree::Part> parts;
  for (const auto& [key, units] : alike) {
    if (units.size() >= kFewestParallel && units.size() < tree.units(group).size())
      parts.push_back({units, stack_label(tree, units)});
  }
  return parts;
}

}  // namespace

void stack_repeats(GroupTree& tree) {
  const auto count = static_cast<uint32_t>(tree.groups().size());
  for (uint32_t group = 0; group < count; ++group) {
    if (tree.units(group).size() < kFewest || tree.groups()[group].kind == GroupKind::kStack)
      continue;
    const std::vector<GroupTree::Part> chains = find_chains(tree, group);
    if (!chains.empty()) tree.gather(group, GroupKind::kStack, chains);
    const std::vector<GroupTree::Part> parallel = find_parallel(tree, group);
    if (!parallel.empty()) tree.gather(group, GroupKind::kStack, parallel);
  }
}

}  // namespace cryo
