#include "picture/groups/repeats.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sort.h"
#include "base/text.h"
#include "picture/groups/labels.h"

namespace cryo {
namespace {

constexpr size_t kFewest = 3;          // groups of a chain
constexpr size_t kFewestParallel = 4;  // units side by side

bool are_about_equal(uint32_t a, uint32_t b) { return std::max(a, b) <= 2 * std::min(a, b) + 1; }

using Neighbors = std::vector<std::pair<uint32_t, bool>>;
using UnitLists = std::unordered_map<uint32_t, std::vector<uint32_t>>;
using Stems = std::unordered_map<uint32_t, std::string>;

// The next unit of a chain, and the node between the two, if there is one.
struct ChainLink {
  uint32_t by;
  uint32_t to;
};

struct ChainLinks {
  std::map<uint32_t, ChainLink> next = {};
  std::set<uint32_t> followed = {};
};

// Inputs and outputs of the graph are drawn by themselves.
bool can_be_stacked(const GroupTree& tree, uint32_t unit) {
  return !tree.is_aside(unit) && !(tree.is_node(unit) && tree.ways().pins[unit]);
}

const std::string& stem_text(const GroupTree& tree, uint32_t unit, Stems& stems) {
  const auto [found, is_new] = stems.try_emplace(unit);
  if (is_new) found->second = stem_of(tree.unit_label(unit));
  return found->second;
}

bool are_alike(const GroupTree& tree, uint32_t a, uint32_t b, Stems& stems) {
  if (tree.is_node(a) != tree.is_node(b)) return false;
  if (tree.structure(a) == tree.structure(b)) return true;
  if (tree.is_node(a)) return false;
  const Group& one = tree.groups()[tree.group_of_unit(a)];
  const Group& other = tree.groups()[tree.group_of_unit(b)];
  return are_about_equal(one.layers, other.layers) && are_about_equal(one.on_ways, other.on_ways) &&
         stem_text(tree, a, stems) == stem_text(tree, b, stems);
}

void add_link(const GroupTree& tree, uint32_t from, uint32_t by, uint32_t to, ChainLinks& links,
              Stems& stems) {
  if (!can_be_stacked(tree, from) || !can_be_stacked(tree, to) || links.next.contains(from)) return;
  if (tree.rank(from) >= tree.rank(to) || !are_alike(tree, from, to, stems)) return;
  if (links.followed.insert(to).second) links.next.emplace(from, ChainLink{by, to});
}

std::string label_of_repeat(const GroupTree& tree, const std::vector<uint32_t>& units) {
  const bool nodes = tree.is_node(units.front());
  if (nodes) return std::string(tree.scene().node(units.front()).op);
  const std::string first = tree.unit_label(units.front());
  if (first == tree.unit_label(units.back())) return first;
  const std::string label = run_label(tree, units);
  return label.empty() ? plural(units.size(), "block") : label;
}

// Without nodes at its ends that only connect groups.
void add_chain(const GroupTree& tree, std::vector<uint32_t> units,
               std::vector<GroupTree::Part>& chains) {
  const auto is_group = [&](uint32_t unit) { return !tree.is_node(unit); };
  const auto groups = std::count_if(units.begin(), units.end(), is_group);
  if (groups > 0) {
    while (!is_group(units.back())) units.pop_back();
    units.erase(units.begin(), std::find_if(units.begin(), units.end(), is_group));
  }
  const size_t repeats = groups > 0 ? static_cast<size_t>(groups) : units.size();
  if (repeats >= kFewest) chains.push_back({units, label_of_repeat(tree, units), false});
}

// Adds the parts of a chain that no way leaves and enters again: a box of others would be in a
// cycle.
void add_convex(const GroupTree& tree, uint32_t group, const std::vector<uint32_t>& chain,
                UnitLists& producers_of, std::vector<GroupTree::Part>& chains) {
  if (chain.size() < kFewest) return;
  if (producers_of.empty()) {
    for (const UnitEdge& edge : tree.edges(group)) producers_of[edge.to].push_back(edge.from);
  }
  const std::vector<uint32_t>& units = tree.units(group);
  const auto place_of = [&](uint32_t unit) {
    return std::lower_bound(units.begin(), units.end(), unit, [&](uint32_t a, uint32_t b) {
      return std::pair(tree.rank(a), a) < std::pair(tree.rank(b), b);
    });
  };
  const std::set<uint32_t> members(chain.begin(), chain.end());
  std::set<uint32_t> passed;   // of the part
  std::set<uint32_t> outside;  // units that the part leads to
  std::vector<uint32_t> part;
  const auto end = place_of(chain.back()) + 1;
  for (auto at = place_of(chain.front()); at < end; ++at) {
    const std::vector<uint32_t>& producers = producers_of[*at];
    const auto any_in = [&](const std::set<uint32_t>& some) {
      return std::any_of(producers.begin(), producers.end(),
                         [&](uint32_t unit) { return some.contains(unit); });
    };
    if (!members.contains(*at)) {
      if (any_in(passed) || any_in(outside)) outside.insert(*at);
      continue;
    }
    if (any_in(outside)) {
      add_chain(tree, part, chains);
      part.clear();
      passed.clear();
      outside.clear();
    }
    part.push_back(*at);
    passed.insert(*at);
  }
  add_chain(tree, part, chains);
}

// Nodes without weights that lead from one group to the next: an activation, a concatenation.
std::map<uint32_t, std::vector<uint32_t>> find_joints(const GroupTree& tree, uint32_t group) {
  std::map<uint32_t, std::vector<uint32_t>> joints;
  for (const UnitEdge& edge : tree.edges(group)) {
    const bool is_joint = tree.is_node(edge.from) && can_be_stacked(tree, edge.from) &&
                          tree.share(edge.from).layers == 0 && !tree.is_node(edge.to);
    if (is_joint) joints[edge.from].push_back(edge.to);
  }
  std::erase_if(joints, [](const auto& joint) { return joint.second.size() > 1; });
  return joints;
}

// The chains of the group, each from its first unit.
std::vector<GroupTree::Part> find_chains(const GroupTree& tree, uint32_t group) {
  ChainLinks links;
  Stems stems;
  for (const UnitEdge& edge : tree.edges(group))
    add_link(tree, edge.from, kNoUnit, edge.to, links, stems);
  const std::map<uint32_t, std::vector<uint32_t>> joints = find_joints(tree, group);
  for (const UnitEdge& edge : tree.edges(group)) {
    const auto joint = joints.find(edge.to);
    if (joint == joints.end() || tree.is_node(edge.from)) continue;
    for (const uint32_t to : joint->second) add_link(tree, edge.from, edge.to, to, links, stems);
  }
  std::vector<GroupTree::Part> chains;
  UnitLists producers_of;  // built for the first chain
  for (const auto& [first, link] : links.next) {
    if (links.followed.contains(first)) continue;
    std::vector<uint32_t> units = {first};
    for (auto at = links.next.find(first); at != links.next.end();
         at = links.next.find(at->second.to)) {
      if (at->second.by != kNoUnit) units.push_back(at->second.by);
      units.push_back(at->second.to);
    }
    add_convex(tree, group, units, producers_of, chains);
  }
  return chains;
}

// Equal for units that may be in one stack.
std::string kind_of(const GroupTree& tree, uint32_t unit, Stems& stems) {
  if (tree.is_node(unit)) return std::string(tree.scene().node(unit).op);
  return cat("group ", stem_text(tree, unit, stems), tree.share(unit).layers > 0 ? " layers" : "");
}

// The units that can be stacked and are alike with enough others.
std::map<uint32_t, Neighbors> frequent_units(const GroupTree& tree, uint32_t group, Stems& stems) {
  std::map<std::string, std::vector<uint32_t>> kinds;
  if (tree.units(group).size() < kFewestParallel) return {};
  for (const uint32_t unit : tree.units(group)) {
    if (can_be_stacked(tree, unit)) kinds[kind_of(tree, unit, stems)].push_back(unit);
  }
  std::map<uint32_t, Neighbors> frequent;
  for (const auto& [kind, units] : kinds) {
    if (units.size() < kFewestParallel) continue;
    for (const uint32_t unit : units) frequent.emplace(unit, Neighbors());
  }
  return frequent;
}

// Units that are alike, between the same units of the group.
std::vector<GroupTree::Part> find_parallel(const GroupTree& tree, uint32_t group) {
  Stems stems;
  std::map<uint32_t, Neighbors> neighbors = frequent_units(tree, group, stems);
  if (neighbors.empty()) return {};
  const auto add = [&](uint32_t unit, uint32_t other, bool is_taken) {
    const auto found = neighbors.find(unit);
    if (found != neighbors.end() && !tree.is_aside(other))
      found->second.emplace_back(other, is_taken);
  };
  for (const UnitEdge& edge : tree.edges(group)) {
    add(edge.from, edge.to, true);
    add(edge.to, edge.from, false);
  }
  std::map<std::pair<std::string, Neighbors>, std::vector<uint32_t>> alike;
  for (auto& [unit, around] : neighbors) {
    sort(around);
    alike[{kind_of(tree, unit, stems), around}].push_back(unit);
  }
  std::vector<GroupTree::Part> parts;
  for (auto& [key, units] : alike) {
    if (units.size() < kFewestParallel) continue;
    sort(units, [&](uint32_t a, uint32_t b) { return tree.rank(a) < tree.rank(b); });
    parts.push_back({units, label_of_repeat(tree, units), false});
  }
  return parts;
}

}  // namespace

void stack_repeats(GroupTree& tree) {
  const auto count = static_cast<uint32_t>(tree.groups().size());
  for (uint32_t group = 0; group < count; ++group) {
    if (tree.units(group).size() < kFewest || tree.groups()[group].is_stack) continue;
    const std::vector<GroupTree::Part> chains = find_chains(tree, group);
    if (!chains.empty()) tree.gather(group, GroupKind::kStack, chains);
    if (tree.groups()[group].is_stack) continue;
    const std::vector<GroupTree::Part> parallel = find_parallel(tree, group);
    if (!parallel.empty()) tree.gather(group, GroupKind::kStack, parallel);
  }
}

}  // namespace cryo
