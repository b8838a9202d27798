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

// Finds what repeats among the units of one group.
class RepeatFinder {
 public:
  RepeatFinder(const GroupTree& tree, uint32_t group) : tree_(tree), group_(group) {}

  // The chains of the group, each from its first unit.
  std::vector<GroupTree::Part> chains() {
    for (const UnitEdge& edge : tree_.edges(group_)) follow(edge.from, kNoUnit, edge.to);
    const std::map<uint32_t, std::vector<uint32_t>> joints = find_joints();
    for (const UnitEdge& edge : tree_.edges(group_)) {
      const auto joint = joints.find(edge.to);
      if (joint == joints.end() || tree_.is_node(edge.from)) continue;
      for (const uint32_t to : joint->second) follow(edge.from, edge.to, to);
    }
    std::vector<GroupTree::Part> chains;
    for (const auto& [first, link] : next_) {
      if (followed_.contains(first)) continue;
      std::vector<uint32_t> units = {first};
      for (auto at = next_.find(first); at != next_.end(); at = next_.find(at->second.to)) {
        if (at->second.by != kNoUnit) units.push_back(at->second.by);
        units.push_back(at->second.to);
      }
      add_convex(units, chains);
    }
    return chains;
  }

  // Units that are alike, between the same units of the group.
  std::vector<GroupTree::Part> parallel() {
    std::map<uint32_t, Neighbors> neighbors = frequent_units();
    if (neighbors.empty()) return {};
    const auto add = [&](uint32_t unit, uint32_t other, bool is_taken) {
      const auto found = neighbors.find(unit);
      if (found != neighbors.end() && !tree_.is_aside(other))
        found->second.emplace_back(other, is_taken);
    };
    for (const UnitEdge& edge : tree_.edges(group_)) {
      add(edge.from, edge.to, true);
      add(edge.to, edge.from, false);
    }
    std::map<std::pair<std::string, Neighbors>, std::vector<uint32_t>> alike;
    for (auto& [unit, around] : neighbors) {
      sort(around);
      alike[{kind_of(unit), around}].push_back(unit);
    }
    std::vector<GroupTree::Part> parts;
    for (auto& [key, units] : alike) {
      if (units.size() < kFewestParallel) continue;
      sort(units, [&](uint32_t a, uint32_t b) { return tree_.rank(a) < tree_.rank(b); });
      parts.push_back({units, label_of(units), false});
    }
    return parts;
  }

 private:
  using Neighbors = std::vector<std::pair<uint32_t, bool>>;

  // The next unit of a chain, and the node between the two, if there is one.
  struct Link {
    uint32_t by;
    uint32_t to;
  };

  void follow(uint32_t from, uint32_t by, uint32_t to) {
    if (!can_be_stacked(from) || !can_be_stacked(to) || next_.contains(from)) return;
    if (tree_.rank(from) >= tree_.rank(to) || !are_alike(from, to)) return;
    if (followed_.insert(to).second) next_.emplace(from, Link{by, to});
  }

  // Adds the parts of a chain that no way leaves and enters again: a box of others would be in a
  // cycle.
  void add_convex(const std::vector<uint32_t>& chain, std::vector<GroupTree::Part>& chains) {
    if (chain.size() < kFewest) return;
    if (producers_.empty()) {
      for (const UnitEdge& edge : tree_.edges(group_)) producers_[edge.to].push_back(edge.from);
    }
    const std::vector<uint32_t>& units = tree_.units(group_);
    const auto place_of = [&](uint32_t unit) {
      return std::lower_bound(units.begin(), units.end(), unit, [&](uint32_t a, uint32_t b) {
        return std::pair(tree_.rank(a), a) < std::pair(tree_.rank(b), b);
      });
    };
    const std::set<uint32_t> members(chain.begin(), chain.end());
    std::set<uint32_t> passed;   // of the part
    std::set<uint32_t> outside;  // units that the part leads to
    std::vector<uint32_t> part;
    const auto end = place_of(chain.back()) + 1;
    for (auto at = place_of(chain.front()); at < end; ++at) {
      const std::vector<uint32_t>& producers = producers_[*at];
      const auto any_in = [&](const std::set<uint32_t>& some) {
        return std::any_of(producers.begin(), producers.end(),
                           [&](uint32_t unit) { return some.contains(unit); });
      };
      if (!members.contains(*at)) {
        if (any_in(passed) || any_in(outside)) outside.insert(*at);
        continue;
      }
      if (any_in(outside)) {
        add_chain(part, chains);
        part.clear();
        passed.clear();
        outside.clear();
      }
      part.push_back(*at);
      passed.insert(*at);
    }
    add_chain(part, chains);
  }

  // Without nodes at its ends that only connect groups.
  void add_chain(std::vector<uint32_t> units, std::vector<GroupTree::Part>& chains) const {
    const auto is_group = [&](uint32_t unit) { return !tree_.is_node(unit); };
    const auto groups = std::count_if(units.begin(), units.end(), is_group);
    if (groups > 0) {
      while (!is_group(units.back())) units.pop_back();
      units.erase(units.begin(), std::find_if(units.begin(), units.end(), is_group));
    }
    const size_t repeats = groups > 0 ? static_cast<size_t>(groups) : units.size();
    if (repeats >= kFewest) chains.push_back({units, label_of(units), false});
  }

  // Nodes without weights that lead from one group to the next: an activation, a concatenation.
  std::map<uint32_t, std::vector<uint32_t>> find_joints() const {
    std::map<uint32_t, std::vector<uint32_t>> joints;
    for (const UnitEdge& edge : tree_.edges(group_)) {
      const bool is_joint = tree_.is_node(edge.from) && can_be_stacked(edge.from) &&
                            tree_.share(edge.from).layers == 0 && !tree_.is_node(edge.to);
      if (is_joint) joints[edge.from].push_back(edge.to);
    }
    std::erase_if(joints, [](const auto& joint) { return joint.second.size() > 1; });
    return joints;
  }

  // Inputs and outputs of the graph are drawn by themselves.
  bool can_be_stacked(uint32_t unit) const {
    return !tree_.is_aside(unit) && !(tree_.is_node(unit) && tree_.ways().pins[unit]);
  }

  bool are_alike(uint32_t a, uint32_t b) {
    if (tree_.is_node(a) != tree_.is_node(b)) return false;
    if (tree_.structure(a) == tree_.structure(b)) return true;
    if (tree_.is_node(a)) return false;
    const Group& one = tree_.groups()[tree_.group_of_unit(a)];
    const Group& other = tree_.groups()[tree_.group_of_unit(b)];
    return are_about_equal(one.layers, other.layers) &&
           are_about_equal(one.on_ways, other.on_ways) && stem(a) == stem(b);
  }

  // Equal for units that may be in one stack.
  std::string kind_of(uint32_t unit) {
    if (tree_.is_node(unit)) return std::string(tree_.scene().node(unit).op);
    return cat("group ", stem(unit), tree_.share(unit).layers > 0 ? " layers" : "");
  }

  const std::string& stem(uint32_t unit) {
    const auto [found, is_new] = stems_.try_emplace(unit);
    if (is_new) found->second = stem_of(tree_.unit_label(unit));
    return found->second;
  }

  // The units that can be stacked and are alike with enough others.
  std::map<uint32_t, Neighbors> frequent_units() {
    std::map<std::string, std::vector<uint32_t>> kinds;
    if (tree_.units(group_).size() < kFewestParallel) return {};
    for (const uint32_t unit : tree_.units(group_)) {
      if (can_be_stacked(unit)) kinds[kind_of(unit)].push_back(unit);
    }
    std::map<uint32_t, Neighbors> frequent;
    for (const auto& [kind, units] : kinds) {
      if (units.size() < kFewestParallel) continue;
      for (const uint32_t unit : units) frequent.emplace(unit, Neighbors());
    }
    return frequent;
  }

  std::string label_of(const std::vector<uint32_t>& units) const {
    const bool nodes = tree_.is_node(units.front());
    if (nodes) return std::string(tree_.scene().node(units.front()).op);
    const std::string first = tree_.unit_label(units.front());
    if (first == tree_.unit_label(units.back())) return first;
    const std::string label = run_label(tree_, units);
    return label.empty() ? plural(units.size(), "block") : label;
  }

  const GroupTree& tree_;
  uint32_t group_;
  std::map<uint32_t, Link> next_;
  std::set<uint32_t> followed_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> producers_;
  std::unordered_map<uint32_t, std::string> stems_;
};

}  // namespace

void stack_repeats(GroupTree& tree) {
  const auto count = static_cast<uint32_t>(tree.groups().size());
  for (uint32_t group = 0; group < count; ++group) {
    if (tree.units(group).size() < kFewest || tree.groups()[group].is_stack) continue;
    const std::vector<GroupTree::Part> chains = RepeatFinder(tree, group).chains();
    if (!chains.empty()) tree.gather(group, GroupKind::kStack, chains);
    if (tree.groups()[group].is_stack) continue;
    const std::vector<GroupTree::Part> parallel = RepeatFinder(tree, group).parallel();
    if (!parallel.empty()) tree.gather(group, GroupKind::kStack, parallel);
  }
}

}  // namespace cryo
