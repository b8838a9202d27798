#include "picture/groups/asides.h"

#include "base/text.h"
#include "graph/roles.h"

namespace cryo {
namespace {

constexpr size_t kFewestAside = 3;
constexpr size_t kMaxPins = 8;

bool is_off_ways(const GroupTree& tree, uint32_t unit) {
  const GroupTree::Share share = tree.share(unit);
  if (tree.is_aside(unit) || share.on_ways > 0 || share.layers > 0) return false;
  return !tree.is_node(unit) || !(tree.ways().pins[unit] || tree.ways().outputs[unit]);
}

bool holds_output(const GroupTree& tree, uint32_t unit) {
  return tree.is_node(unit) && tree.ways().outputs[unit];
}

void stack(GroupTree& tree, const std::vector<uint32_t>& pins, std::string_view noun) {
  if (pins.size() > kMaxPins && pins.size() < tree.units(kRootGroup).size())
    tree.gather(kRootGroup, GroupKind::kStack, {{pins, plural(pins.size(), noun)}});
}

}  // namespace

void gather_asides(GroupTree& tree) {
  const auto count = static_cast<uint32_t>(tree.groups().size());
  for (uint32_t group = 0; group < count; ++group) {
    const Group& of = tree.groups()[group];
    if (of.role != NodeRole::kInference || of.on_ways == 0) continue;
    GroupTree::Part part{{}, "side computations"};
    for (const uint32_t unit : tree.units(group)) {
      if (is_off_ways(tree, unit)) part.units.push_back(unit);
    }
    if (part.units.size() == tree.units(group).size()) continue;
    if (part.units.size() >= kFewestAside) {
      tree.gather(group, GroupKind::kAside, {part});
      continue;
    }
    for (const uint32_t unit : part.units) {
      if (!tree.is_node(unit)) tree.group(tree.group_of_unit(unit)).is_aside = true;
    }
  }
}

void stack_pins(GroupTree& tree) {
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
  for (const uint32_t unit : tree.units(kRootGroup)) {
    if (holds_output(tree, unit) && tree.ways().pins[unit]) {
      outputs.push_back(unit);
    } else if (tree.is_node(unit) && tree.ways().pins[unit]) {
      inputs.push_back(unit);
    }
  }
  stack(tree, inputs, "input");
  stack(tree, outputs, "output");
}

}  // namespace cryo
