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

struct LayerNeighbors {
  std::unordered_map<uint32_t, OnlyNeighbor> consumers = {};
  std::unordered_map<uint32_t, OnlyNeighbor> producers = {};
};

LayerNeighbors neighbors_in(const GroupTree& tree, uint32_t group) {
  LayerNeighbors neighbors;
  for (const UnitEdge& edge : tree.edges(group)) {
    if (tree.is_aside(edge.from) || tree.is_aside(edge.to)) continue;
    neighbors.consumers[edge.from].add(edge.to);
    neighbors.producers[edge.to].add(edge.from);
  }
  return neighbors;
}

bool is_layer_unit(const GroupTree& tree, uint32_t unit) { return tree.share(unit).layers > 0; }

uint32_t follower(const GroupTree& tree, uint32_t unit, LayerNeighbors& neighbors) {
  const OnlyNeighbor& consumer = neighbors.consumers[unit];
  if (consumer.count != 1 || neighbors.producers[consumer.unit].count != 1) return kNoUnit;
  const uint32_t next = consumer.unit;
  const bool is_pin = tree.is_node(next) && tree.ways().pins[next];
  const bool leads_on = tree.rank(next) > tree.rank(unit);
  return is_layer_unit(tree, next) || is_pin || !leads_on ? kNoUnit : next;
}

std::vector<GroupTree::Part> find_layers(const GroupTree& tree, const std::vector<uint32_t>& units,
                                         LayerNeighbors& neighbors) {
  std::vector<GroupTree::Part> parts;
  for (const uint32_t unit : units) {
    if (!is_layer_unit(tree, unit)) continue;
    GroupTree::Part part{{unit}, tree.unit_label(unit)};
    for (uint32_t next = follower(tree, unit, neighbors); next != kNoUnit;
         next = follower(tree, next, neighbors))
      part.units.push_back(next);
    if (part.units.size() >= kFewestOfLayer && part.units.size() < units.size())
      parts.push_back(std::move(part));
  }
  return parts;
}

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
    LayerNeighbors neighbors = neighbors_in(tree, group);
    const std::vector<GroupTree::Part> parts = find_layers(tree, tree.units(group), neighbors);
    if (!parts.empty()) tree.gather(group, GroupKind::kSection, parts);
  }
}

}  // namespace cryo
