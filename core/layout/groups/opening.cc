#include "layout/groups/opening.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace cryo {
namespace {

constexpr size_t kBoxes = 80;  // in the first view

std::vector<bool> first_view(const GroupTree& tree) {
  std::vector<bool> open(tree.groups().size(), false);
  using Candidate = std::pair<uint32_t, uint32_t>;  // nodes; the group, the first one preferred
  std::priority_queue<Candidate> candidates;
  size_t boxes = 1;
  const auto consider = [&](uint32_t unit) {
    if (tree.is_node(unit)) return;
    const uint32_t group = tree.group_of_unit(unit);
    const Group& of = tree.groups()[group];
    const bool is_candidate = of.role == NodeRole::kInference && of.kind != GroupKind::kStack;
    if (is_candidate) candidates.emplace(of.visible, kNoUnit - group);
  };
  candidates.emplace(tree.groups()[kRootGroup].visible, kNoUnit - kRootGroup);
  while (!candidates.empty()) {
    const uint32_t group = kNoUnit - candidates.top().second;
    candidates.pop();
    const size_t more = tree.units(group).size();
    if (group != kRootGroup && boxes + more > kBoxes) continue;
    boxes += more;
    open[group] = true;
    for (const uint32_t unit : tree.units(group)) consider(unit);
  }
  return open;
}

}  // namespace

std::vector<bool> open_groups(const GroupTree& tree, const ViewChoice& opening) {
  if (opening.groups.empty() && !opening.depth) return first_view(tree);
  std::vector<bool> open(tree.groups().size(), false);
  std::vector<uint64_t> depths(tree.groups().size(), 0);
  const std::vector<uint32_t> order = tree.outer_first();
  for (const uint32_t group : order) {
    if (group != kRootGroup) depths[group] = depths[tree.groups()[group].parent] + 1;
    open[group] = opening.depth && depths[group] <= *opening.depth;
    const auto names_it = [&](const Glob& glob) { return glob.matches(tree.name(group)); };
    if (!open[group]) {
      open[group] = std::any_of(opening.groups.begin(), opening.groups.end(), names_it);
    }
  }
  open[kRootGroup] = true;
  for (size_t at = order.size(); at-- > 1;) {
    if (open[order[at]]) open[tree.groups()[order[at]].parent] = true;
  }
  return open;
}

}  // namespace cryo
