#include "picture/groups/sections.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "picture/groups/labels.h"

namespace cryo {
namespace {

constexpr size_t kMaxUnits = 20;  // of a sequence
constexpr size_t kManyForModules = 12;
constexpr size_t kSections = 10;  // of one that has more, about
constexpr size_t kSmallest = 4;   // units of a section
constexpr size_t kLargest = 3;    // times the wanted size, where no place is right
constexpr size_t kFewestOfPart = 3;

// The units of a group in data-flow order, without what is at the side and inputs and outputs.
class Sequence {
 public:
  Sequence(const GroupTree& tree, uint32_t group) : tree_(tree) {
    for (const uint32_t unit : tree.units(group)) {
      const bool is_pin = tree.is_node(unit) && tree.ways().pins[unit];
      if (!tree.is_aside(unit) && !is_pin) units_.push_back(unit);
    }
    find_reach(group);
  }

  size_t size() const { return units_.size(); }

  // Returns true if all edges from the units up to this place lead to the next unit at most.
  bool separates(size_t at) const { return reach_[at] <= at + 1; }

  GroupTree::Part part(size_t from, size_t to) const {
    GroupTree::Part part{{units_.begin() + static_cast<std::ptrdiff_t>(from),
                          units_.begin() + static_cast<std::ptrdiff_t>(to)}};
    part.label = name_of_end(part.units.back());
    part.is_named = !part.label.empty();
    if (!part.is_named) part.label = run_label(tree_, part.units);
    if (part.label.empty()) part.label = content_label(tree_, part.units);
    return part;
  }

 private:
  // Sets for each place the last place that an edge connects with it or with an earlier one.
  void find_reach(uint32_t group) {
    std::unordered_map<uint32_t, size_t> places;
    for (size_t at = 0; at < units_.size(); ++at) places[units_[at]] = at;
    reach_.assign(units_.size(), 0);
    for (const UnitEdge& edge : tree_.edges(group)) {
      const auto one = places.find(edge.from);
      const auto other = places.find(edge.to);
      if (one == places.end() || other == places.end()) continue;
      const auto [first, last] = std::minmax(one->second, other->second);
      reach_[first] = std::max(reach_[first], last);
    }
    for (size_t at = 1; at < reach_.size(); ++at) reach_[at] = std::max(reach_[at], reach_[at - 1]);
  }

  // "mixed3": the name of the unit that ends a module, unless it is that of its op.
  std::string name_of_end(uint32_t unit) const {
    std::string name = tree_.unit_label(unit);
    if (!tree_.is_node(unit) || is_name_of_op(name, tree_.scene().node(unit).op)) return "";
    return name;
  }

  const GroupTree& tree_;
  std::vector<uint32_t> units_;
  std::vector<size_t> reach_;
};

// Returns the sequence of a group that is no stack, if it has more than `many` units.
std::optional<Sequence> long_sequence(const GroupTree& tree, uint32_t group, size_t many) {
  if (tree.units(group).size() <= many || tree.groups()[group].is_stack) return std::nullopt;
  Sequence sequence(tree, group);
  if (sequence.size() <= many) return std::nullopt;
  return sequence;
}

std::vector<GroupTree::Part> modules_of(const Sequence& sequence) {
  std::vector<GroupTree::Part> parts;
  size_t start = 0;
  for (size_t at = 0; at + 1 < sequence.size(); ++at) {
    if (!sequence.separates(at)) continue;
    // The unit after the place is passed by everything: it ends what began at `start`.
    const size_t end = at + 2;
    const bool is_module = end - start > kFewestOfPart && 2 * (end - start) <= sequence.size();
    if (is_module) parts.push_back(sequence.part(start, end));
    start = end - start > kFewestOfPart ? end : at + 1;
  }
  return parts;
}

std::vector<GroupTree::Part> sections_of(const Sequence& sequence) {
  const size_t wanted = std::max(kSmallest, (sequence.size() + kSections - 1) / kSections);
  std::vector<GroupTree::Part> parts;
  size_t start = 0;
  for (size_t at = 0; at < sequence.size(); ++at) {
    const size_t size = at + 1 - start;
    const bool ends = size >= wanted && sequence.separates(at);
    if (!ends && size < kLargest * wanted && at + 1 < sequence.size()) continue;
    if (size >= kFewestOfPart && size < sequence.size())
      parts.push_back(sequence.part(start, at + 1));
    start = at + 1;
  }
  return parts;
}

}  // namespace

void find_modules(GroupTree& tree) {
  const auto count = static_cast<uint32_t>(tree.groups().size());
  for (uint32_t group = 0; group < count; ++group) {
    const auto sequence = long_sequence(tree, group, kManyForModules);
    if (!sequence) continue;
    const std::vector<GroupTree::Part> parts = modules_of(*sequence);
    if (!parts.empty()) tree.gather(group, GroupKind::kSection, parts);
  }
}

void divide_large_groups(GroupTree& tree) {
  for (uint32_t group = 0; group < tree.groups().size(); ++group) {
    const auto sequence = long_sequence(tree, group, kMaxUnits);
    if (!sequence) continue;
    const std::vector<GroupTree::Part> parts = sections_of(*sequence);
    if (!parts.empty()) tree.gather(group, GroupKind::kSection, parts);
  }
}

}  // namespace cryo
