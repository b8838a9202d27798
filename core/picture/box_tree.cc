#include "picture/box_tree.h"

#include <algorithm>
#include <utility>

#include "picture/captions.h"
#include "picture/groups/stored_tensor.h"

namespace cryo {
namespace {

constexpr uint32_t kFewWeights = 4;  // of a closed group that lists them

void add_unit_box(const GroupTree& tree, const std::vector<bool>& open, uint32_t unit,
                  uint32_t parent, std::vector<uint32_t>& box_of_group, BoxTree& boxes) {
  Box box;
  box.parent = parent;
  if (tree.is_node(unit)) {
    box.role = tree.groups()[tree.group_of_node(unit)].role;
  } else {
    const uint32_t group = tree.group_of_unit(unit);
    box.kind = tree.is_aside(unit)             ? BoxKind::kTray
               : tree.groups()[group].is_stack ? BoxKind::kStack
                                               : BoxKind::kGroup;
    box.role = tree.groups()[group].role;
    box.is_open = open[group];
    box_of_group[group] = static_cast<uint32_t>(boxes.boxes.size());
  }
  boxes.boxes.push_back(std::move(box));
  boxes.units.push_back(unit);
  boxes.depths.push_back(parent == kNoBox ? 0 : boxes.depths[parent] + 1);
}

void add_open_group(const GroupTree& tree, const std::vector<bool>& open, uint32_t group,
                    uint32_t parent, OpenGroups& groups, std::vector<uint32_t>& box_of_group,
                    BoxTree& boxes) {
  const std::vector<uint32_t>& units = tree.units(group);
  OpenGroup& made =
      groups.emplace(parent, OpenGroup{group, level_of(tree, group), UnitPlaces(units)})
          .first->second;
  for (const uint32_t unit : units) {
    made.boxes.push_back(static_cast<uint32_t>(boxes.boxes.size()));
    add_unit_box(tree, open, unit, parent, box_of_group, boxes);
  }
}

// Closed groups within closed ones have the box of the outer one.
void find_boxes_of_nodes(const GroupTree& tree, std::vector<uint32_t>& box_of_group,
                         BoxTree& boxes) {
  for (const uint32_t group : tree.outer_first()) {
    const uint32_t parent = tree.groups()[group].parent;
    if (group != kRootGroup && box_of_group[group] == kNoBox)
      box_of_group[group] = box_of_group[parent];
  }
  boxes.box_of_node.assign(tree.scene().size(), kNoBox);
  for (uint32_t box = 0; box < boxes.boxes.size(); ++box) {
    if (tree.is_node(boxes.units[box])) boxes.box_of_node[boxes.units[box]] = box;
  }
  for (uint32_t i = 0; i < boxes.box_of_node.size(); ++i) {
    const uint32_t host = tree.folding().host(i);
    uint32_t box = boxes.box_of_node[host];
    if (box == kNoBox) box = box_of_group[tree.group_of_node(host)];
    boxes.box_of_node[i] = box;
  }
}

// Weights of the closed boxes, then texts; outer boxes have the sums of inner ones.
void add_captions(const GroupTree& tree, BoxTree& boxes) {
  std::vector<std::vector<uint32_t>> hosted(boxes.boxes.size());
  std::vector<uint32_t> weights(boxes.boxes.size(), 0);
  for (uint32_t i = 0; i < boxes.box_of_node.size(); ++i) {
    const uint32_t box = boxes.box_of_node[i];
    ++boxes.boxes[box].nodes;
    const Node& node = tree.scene().node(i);
    if (!is_stored(node)) continue;
    const StoredTensor tensor = stored_tensor(node);
    boxes.boxes[box].bytes += tensor.bytes;
    const bool folded = tree.folding().is_folded(i);
    const bool in_node = boxes.boxes[box].kind == BoxKind::kNode;
    if (folded && (in_node || is_weight(node, tensor))) {
      if (in_node || ++weights[box] <= kFewWeights) hosted[box].push_back(i);
    }
  }
  for (uint32_t box = 0; box < boxes.boxes.size(); ++box) {
    const bool lists = boxes.boxes[box].kind == BoxKind::kNode ||
                       (boxes.boxes[box].kind == BoxKind::kGroup && weights[box] <= kFewWeights);
    if (!lists) hosted[box].clear();
  }
  for (auto box = static_cast<uint32_t>(boxes.boxes.size()); box-- > 0;) {
    Box& made = boxes.boxes[box];
    if (made.kind == BoxKind::kNode) {
      caption_node(tree, boxes.units[box], hosted[box], made);
    } else {
      caption_group(tree, tree.group_of_unit(boxes.units[box]), hosted[box], made);
    }
    if (made.parent == kNoBox) continue;
    boxes.boxes[made.parent].nodes += made.nodes;
    boxes.boxes[made.parent].bytes += made.bytes;
  }
}

}  // namespace

BoxTree make_boxes(const GroupTree& tree, const std::vector<bool>& open, OpenGroups& groups) {
  std::vector<uint32_t> box_of_group(tree.groups().size(), kNoBox);
  BoxTree boxes;
  add_open_group(tree, open, kRootGroup, kNoBox, groups, box_of_group, boxes);
  // A box's units come after it, next to each other.
  for (uint32_t box = 0; box < boxes.boxes.size(); ++box) {
    if (boxes.boxes[box].is_open)
      add_open_group(tree, open, tree.group_of_unit(boxes.units[box]), box, groups, box_of_group,
                     boxes);
  }
  find_boxes_of_nodes(tree, box_of_group, boxes);
  add_captions(tree, boxes);
  return boxes;
}

}  // namespace cryo
