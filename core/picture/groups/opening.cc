#include "picture/groups/opening.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace cryo {
namespace {

constexpr size_t kFewBoxes = 12;
constexpr size_t kManyBoxes = 25;
constexpr size_t kMaxBoxes = 40;
constexpr size_t kMaxTrials = 16;    // of groups that may fit
constexpr double kWholeNetwork = 1;  // benefit of what has most weights and layers

class FirstView {
 public:
  FirstView(const GroupTree& tree, FunctionRef<bool(const std::vector<bool>&)> fits)
      : tree_(tree), fits_(fits), open_(tree.groups().size(), false) {}

  std::vector<bool> choose() {
    open(kRootGroup);
    open_while(blocks_, kManyBoxes, kManyBoxes);
    for (Candidates* from : {&stacks_, &blocks_}) open_while(*from, kFewBoxes, kManyBoxes);
    open_all_layers();
    for (const size_t most : {kManyBoxes, kMaxBoxes}) {
      for (Candidates* from : {&stacks_, &blocks_, &layers_}) open_while(*from, kFewBoxes, most);
    }
    return std::move(open_);
  }

 private:
  // The first of equal ones is preferred.
  using Candidate = std::pair<double, uint32_t>;  // benefit; kNoUnit - group
  using Candidates = std::priority_queue<Candidate>;

  // Opens candidates as long as there are fewer boxes than `wanted`, each if there are at most
  // `most` then.
  void open_while(Candidates& from, size_t wanted, size_t most) {
    std::vector<Candidate> passed_over;
    while (!from.empty() && boxes_ < wanted) {
      const Candidate next = from.top();
      from.pop();
      const uint32_t group = kNoUnit - next.second;
      const size_t room = next.first > kWholeNetwork ? kMaxBoxes : most;
      if (boxes_ - 1 + box_count(group) > room) {
        passed_over.push_back(next);
      } else if (fits_with({group})) {
        open(group);
      }
    }
    for (const Candidate& each : passed_over) from.push(each);
  }

  // Opens all single layers together, if boxes are few: one among closed ones would look special.
  void open_all_layers() {
    if (boxes_ >= kFewBoxes) return;
    std::vector<uint32_t> groups;
    size_t boxes = boxes_;
    for (Candidates left = layers_; !left.empty(); left.pop()) {
      groups.push_back(kNoUnit - left.top().second);
      boxes += box_count(groups.back()) - 1;
    }
    if (boxes > kManyBoxes || !fits_with(groups)) return;
    layers_ = {};
    for (const uint32_t group : groups) open(group);
  }

  // Boxes of the network itself.
  size_t box_count(uint32_t group) const {
    const std::vector<uint32_t>& units = tree_.units(group);
    return static_cast<size_t>(std::count_if(units.begin(), units.end(),
                                             [&](uint32_t unit) { return !tree_.is_aside(unit); }));
  }

  bool fits_with(const std::vector<uint32_t>& groups) {
    if (trials_++ == kMaxTrials) return false;
    for (const uint32_t group : groups) open_[group] = true;
    const bool fits = fits_(open_);
    for (const uint32_t group : groups) open_[group] = false;
    return fits;
  }

  void open(uint32_t group) {
    boxes_ += box_count(group);
    if (group != kRootGroup) --boxes_;
    open_[group] = true;
    for (const uint32_t unit : tree_.units(group)) {
      if (tree_.is_node(unit) || tree_.is_aside(unit)) continue;
      const Group& inner = tree_.groups()[tree_.group_of_unit(unit)];
      if (inner.is_stack && tree_.is_node(tree_.units(tree_.group_of_unit(unit)).front())) continue;
      const double benefit = benefit_of(unit);
      Candidates& to = inner.is_stack ? stacks_ : inner.layers > 1 ? blocks_ : layers_;
      if (benefit > 0) to.emplace(benefit, kNoUnit - tree_.group_of_unit(unit));
    }
  }

  double benefit_of(uint32_t unit) const {
    const GroupTree::Share all = tree_.share(tree_.unit_of_group(kRootGroup));
    const GroupTree::Share share = tree_.share(unit);
    const auto part = [](auto of, auto whole) {
      return whole == 0 ? 0.0 : static_cast<double>(of) / static_cast<double>(whole);
    };
    if (all.layers == 0) return part(share.on_ways, all.on_ways);
    return part(share.bytes, all.bytes) + part(share.layers, all.layers);
  }

  const GroupTree& tree_;
  FunctionRef<bool(const std::vector<bool>&)> fits_;
  std::vector<bool> open_;
  Candidates blocks_;  // groups of several layers
  Candidates stacks_;
  Candidates layers_;
  size_t boxes_ = 0;
  size_t trials_ = 0;
};

}  // namespace

std::vector<bool> open_by_benefit(const GroupTree& tree,
                                  FunctionRef<bool(const std::vector<bool>&)> fits) {
  return FirstView(tree, fits).choose();
}

std::vector<bool> open_groups(const GroupTree& tree, const ViewChoice& opening) {
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
