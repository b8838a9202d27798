#include "picture/groups/layers.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace cryo {
namespace {

constexpr std::ptrdiff_t kManyForLayers = 12;  // units of a group
constexpr size_t kFewestOfLayer = 3;

// The one neighbor of a unit in its group, if it has one.
struct OnlyNeighbor {
  uint32_t unit = kNoUnit;
  uint32_t count = 0;
  void add(uint32_t other) {
    unit = other;
    ++count;
  }
};

class LayerFinder {
 public:
  LayerFinder(const GroupTree& tree, uint32_t group) : tree_(tree) {
    for (const UnitEdge& edge : tree.edges(group)) {
      if (tree.is_aside(edge.from) || tree.is_aside(edge.to)) continue;
      consumers_[edge.from].add(edge.to);
      producers_[edge.to].add(edge.from);
    }
  }

  std::vector<GroupTree::Part> find(const std::vector<uint32_t>& units) {
    std::vector<GroupTree::Part> parts;
    for (const uint32_t unit : units) {
      if (!is_layer(unit)) continue;
      GroupTree::Part part{{unit}, tree_.unit_label(unit)};
      for (uint32_t next = follower(unit); next != kNoUnit; next = follower(next))
        part.units.push_back(next);
      if (part.units.size() >= kFewestOfLayer && part.units.size() < units.size())
        parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  bool is_layer(uint32_t unit) const { return tree_.share(unit).layers > 0; }

  uint32_t follower(uint32_t unit) {
    const OnlyNeighbor& consumer = consumers_[unit];
    if (consumer.count != 1 || producers_[consumer.unit].count != 1) return kNoUnit;
    const uint32_t next = consumer.unit;
    const bool is_pin = tree_.is_node(next) && tree_.ways().is_pin(next);
    const bool leads_on = tree_.rank(next) > tree_.rank(unit);
    return is_layer(next) || is_pin || !leads_on ? kNoUnit : next;
  }

  const GroupTree& tree_;
  std::unordered_map<uint32_t, OnlyNeighbor> consumers_;
  std::unordered_map<uint32_t, OnlyNeighbor> producers_;
};

// Returns true if a group has too many units to be shown one by one.
bool is_large(const GroupTree& tree, uint32_t group) {
  const std::vector<uint32_t>& units = tree.units(group);
  return std::count_if(units.begin(), units.end(),
                       [&](uint32_t unit) { return !tree.is_aside(unit); }) >= kManyForLayers;
}

}  // namespace

void gather_layers(GroupTree& tree) {
  const auto count = static_cast<uint32_t>(tree.groups().size());
  for (uint32_t group = 0; group < count; ++group) {
    if (tree.groups()[group].layers == 0 || !is_large(tree, group)) continue;
    const std::vector<GroupTree::Part> parts = LayerFinder(tree, group).find(tree.units(group));
    if (!parts.empty()) tree.gather(group, GroupKind::kSection, parts);
  }
}

}  // namespace cryo
