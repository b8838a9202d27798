#include "picture/box_tree.h"

#include <algorithm>
#include <utility>

#include "picture/captions.h"
#include "picture/groups/stored_tensor.h"

namespace cryo {
namespace {

constexpr uint32_t kFewWeights = 4;  // of a closed group that lists them

class BoxMaker {
 public:
  BoxMaker(const GroupTree& tree, const std::vector<bool>& open, OpenGroups& groups)
      : tree_(tree), open_(open), groups_(groups), box_of_group_(tree.groups().size(), kNoBox) {}

  BoxTree make() {
    add_group(kRootGroup, kNoBox);
    // A box's units come after it, next to each other.
    for (uint32_t box = 0; box < made_.boxes.size(); ++box) {
      if (made_.boxes[box].is_open) add_group(tree_.group_of_unit(made_.units[box]), box);
    }
    find_boxes_of_nodes();
    caption();
    return std::move(made_);
  }

 private:
  void add_group(uint32_t group, uint32_t parent) {
    const std::vector<uint32_t>& units = tree_.units(group);
    OpenGroup& made =
        groups_.emplace(parent, OpenGroup{group, level_of(tree_, group), UnitPlaces(units)})
            .first->second;
    for (const uint32_t unit : units) {
      made.boxes.push_back(static_cast<uint32_t>(made_.boxes.size()));
      add_box(unit, parent);
    }
  }

  void add_box(uint32_t unit, uint32_t parent) {
    Box box;
    box.parent = parent;
    if (tree_.is_node(unit)) {
      box.role = tree_.groups()[tree_.group_of_node(unit)].role;
    } else {
      const uint32_t group = tree_.group_of_unit(unit);
      box.kind = tree_.is_aside(unit)             ? BoxKind::kTray
                 : tree_.groups()[group].is_stack ? BoxKind::kStack
                                                  : BoxKind::kGroup;
      box.role = tree_.groups()[group].role;
      box.is_open = open_[group];
      box_of_group_[group] = static_cast<uint32_t>(made_.boxes.size());
    }
    made_.boxes.push_back(std::move(box));
    made_.units.push_back(unit);
    made_.depths.push_back(parent == kNoBox ? 0 : made_.depths[parent] + 1);
  }

  // Closed groups within closed ones have the box of the outer one.
  void find_boxes_of_nodes() {
    for (const uint32_t group : tree_.outer_first()) {
      const uint32_t parent = tree_.groups()[group].parent;
      if (group != kRootGroup && box_of_group_[group] == kNoBox)
        box_of_group_[group] = box_of_group_[parent];
    }
    made_.box_of_node.assign(tree_.scene().size(), kNoBox);
    for (uint32_t box = 0; box < made_.boxes.size(); ++box) {
      if (tree_.is_node(made_.units[box])) made_.box_of_node[made_.units[box]] = box;
    }
    for (uint32_t i = 0; i < made_.box_of_node.size(); ++i) {
      const uint32_t host = tree_.folding().host(i);
      uint32_t box = made_.box_of_node[host];
      if (box == kNoBox) box = box_of_group_[tree_.group_of_node(host)];
      made_.box_of_node[i] = box;
    }
  }

  // Weights of the closed boxes, then texts; outer boxes have the sums of inner ones.
  void caption() {
    std::vector<std::vector<uint32_t>> hosted(made_.boxes.size());
    std::vector<uint32_t> weights(made_.boxes.size(), 0);
    for (uint32_t i = 0; i < made_.box_of_node.size(); ++i) {
      const uint32_t box = made_.box_of_node[i];
      ++made_.boxes[box].nodes;
      const Node& node = tree_.scene().node(i);
      if (!is_stored(node)) continue;
      const StoredTensor tensor = stored_tensor(node);
      made_.boxes[box].bytes += tensor.bytes;
      const bool folded = tree_.folding().is_folded(i);
      const bool in_node = made_.boxes[box].kind == BoxKind::kNode;
      if (folded && (in_node || is_weight(node, tensor))) {
        if (in_node || ++weights[box] <= kFewWeights) hosted[box].push_back(i);
      }
    }
    for (uint32_t box = 0; box < made_.boxes.size(); ++box) {
      const bool lists = made_.boxes[box].kind == BoxKind::kNode ||
                         (made_.boxes[box].kind == BoxKind::kGroup && weights[box] <= kFewWeights);
      if (!lists) hosted[box].clear();
    }
    for (auto box = static_cast<uint32_t>(made_.boxes.size()); box-- > 0;) {
      Box& made = made_.boxes[box];
      if (made.kind == BoxKind::kNode) {
        caption_node(tree_, made_.units[box], hosted[box], made);
      } else {
        caption_group(tree_, tree_.group_of_unit(made_.units[box]), hosted[box], made);
      }
      if (made.parent == kNoBox) continue;
      made_.boxes[made.parent].nodes += made.nodes;
      made_.boxes[made.parent].bytes += made.bytes;
    }
  }

  const GroupTree& tree_;
  const std::vector<bool>& open_;
  OpenGroups& groups_;
  std::vector<uint32_t> box_of_group_;
  BoxTree made_;
};

}  // namespace

BoxTree make_boxes(const GroupTree& tree, const std::vector<bool>& open, OpenGroups& groups) {
  return BoxMaker(tree, open, groups).make();
}

}  // namespace cryo
