#include "picture/groups/opening.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace cryo {
namespace {

constexpr size_t kBoxes = 80;  // in the first view
constexpr size_t kFew = 24;    // boxes: while there are fewer, stacks are opened as well
constexpr double kDeeper = 4;  // a group counts so much less for each group around it

// Opens the group with the largest share of the inference nodes as long as there is room.
class FirstView {
 public:
  explicit FirstView(const GroupTree& tree) : tree_(tree), open_(tree.groups().size(), false) {}

  std::vector<bool> choose() {
    open({static_cast<double>(tree_.groups()[kRootGroup].visible), kNoUnit - kRootGroup});
    while (!candidates_.empty() || (boxes_ < kFew && !stacks_.empty())) {
      Candidates& from = candidates_.empty() ? stacks_ : candidates_;
      const Candidate next = from.top();
      from.pop();
      if (boxes_ + tree_.units(kNoUnit - next.second).size() <= kBoxes) open(next);
    }
    return std::move(open_);
  }

 private:
  using Candidate = std::pair<double, uint32_t>;  // share; the group, the first one preferred
  using Candidates = std::priority_queue<Candidate>;

  void open(const Candidate& candidate) {
    const uint32_t group = kNoUnit - candidate.second;
    open_[group] = true;
    boxes_ += tree_.units(group).size();
    const double around = static_cast<double>(tree_.groups()[group].visible) / candidate.first;
    for (const uint32_t unit : tree_.units(group)) {
      if (tree_.is_node(unit)) continue;
      const Group& of = tree_.groups()[tree_.group_of_unit(unit)];
      if (of.role != NodeRole::kInference) continue;
      const double share = static_cast<double>(of.visible) / around / kDeeper;
      (of.kind == GroupKind::kStack ? stacks_ : candidates_)
          .emplace(share, kNoUnit - tree_.group_of_unit(unit));
    }
  }

  const GroupTree& tree_;
  std::vector<bool> open_;
  Candidates candidates_;
  Candidates stacks_;
  size_t boxes_ = 0;
};

}  // namespace

std::vector<bool> open_groups(const GroupTree& tree, const ViewChoice& opening) {
  if (opening.groups.empty() && !opening.depth) return FirstView(tree).choose();
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
