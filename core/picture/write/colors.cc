#include "picture/write/colors.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.h"
#include "graph/tensor_info.h"
#include "picture/groups/op_family.h"

namespace cryo {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"op", "role", "weights", "device", "dtype"};
constexpr std::string_view kMixed = "mixed";
constexpr uint32_t kSteps = 6;     // colors of weights
constexpr size_t kSmallGroup = 6;  // units of a group that has the color of its layer
constexpr uint32_t kTints = 8;     // classes k0, k1, ..., also of groups of equal structure

// The family that a group is known for: that of its layer, if it has one.
std::string family_of_group(const GroupTree& tree, uint32_t group) {
  if (tree.units(group).size() > kSmallGroup) return "group";
  std::string found = "group";
  for (const uint32_t unit : tree.units(group)) {
    if (!tree.is_node(unit)) return "group";
    const std::string_view family = op_family(tree.scene().node(unit).op);
    if (family == "layer" || (family == "norm" && found == "group")) found = family;
  }
  return found;
}

// Groups that share their structure with another one in view.
void color_structures(const GroupTree& tree, BoxTree& boxes) {
  std::map<uint64_t, uint32_t> counts;
  const auto structure = [&](size_t box) { return tree.structure(boxes.units[box]); };
  const auto counts_here = [&](size_t box) {
    return boxes.boxes[box].kind == BoxKind::kGroup && boxes.boxes[box].color == "group";
  };
  for (size_t box = 0; box < boxes.boxes.size(); ++box) {
    if (counts_here(box)) ++counts[structure(box)];
  }
  std::map<uint64_t, uint32_t> colors;
  for (size_t box = 0; box < boxes.boxes.size(); ++box) {
    if (!counts_here(box) || counts[structure(box)] < 2) continue;
    const auto next = static_cast<uint32_t>(colors.size());
    const uint32_t color = colors.emplace(structure(box), next).first->second;
    boxes.boxes[box].color = cat("structure", color % kTints);
  }
}

void color_ops(const GroupTree& tree, BoxTree& boxes) {
  for (size_t box = 0; box < boxes.boxes.size(); ++box) {
    const uint32_t unit = boxes.units[box];
    boxes.boxes[box].color = tree.is_node(unit) ? std::string(op_family(boxes.boxes[box].op))
                                                : family_of_group(tree, tree.group_of_unit(unit));
  }
  color_structures(tree, boxes);
}

// A step for each factor of four below the largest.
void color_weights(BoxTree& boxes) {
  uint64_t largest = 0;
  for (const Box& box : boxes.boxes) {
    if (!box.is_open) largest = std::max(largest, box.bytes);
  }
  for (Box& box : boxes.boxes) {
    uint32_t step = box.bytes == 0 ? 0 : kSteps - 1;
    for (uint64_t bytes = box.bytes; step > 1 && bytes < largest / 4; bytes *= 4) --step;
    box.color = cat("weights", step);
  }
}

std::string value_of(const Node& node, ColorBy by) {
  if (by == ColorBy::kDevice) return std::string(device_of(node));
  const auto dtype = output_dtype(node, 0, nullptr);
  return dtype ? dtype_name(base(*dtype)) : std::string();
}

// Colors boxes by a value of their nodes, which those of several do not share.
template <typename ValueOf>
void color_values(const GroupTree& tree, std::string_view several, BoxTree& boxes,
                  ValueOf value_of) {
  const auto add = [&](uint32_t box, const std::string& value) {
    std::string& color = boxes.boxes[box].color;
    if (!value.empty() && color != value) color = color.empty() ? value : several;
  };
  for (uint32_t i = 0; i < tree.scene().size(); ++i) add(boxes.box_of_node[i], value_of(i));
  for (auto box = static_cast<uint32_t>(boxes.boxes.size()); box-- > 0;) {
    if (boxes.boxes[box].parent != kNoBox) add(boxes.boxes[box].parent, boxes.boxes[box].color);
  }
}

// The classes k0, k1, ... of colors that are no fixed classes, in order of appearance.
class TintClasses {
 public:
  std::string of(const std::string& color) {
    if (color.starts_with("structure")) return cat("k", std::string_view(color).substr(9));
    if (is_one_of(color, kFixed)) return color;
    const auto next = static_cast<uint32_t>(seen_.size());
    return cat("k", seen_.emplace(color, next).first->second % kTints);
  }

 private:
  static constexpr std::string_view kFixed[] = {
      "layer",    "norm",     "activation", "pool",     "shape",    "math",     "control",
      "data",     "other",    "group",      "weights0", "weights1", "weights2", "weights3",
      "weights4", "weights5", "mixed",      "added",    "removed",  "changed",  "same"};
  std::map<std::string, uint32_t> seen_;
};

}  // namespace

std::optional<ColorBy> color_by(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ColorBy>(found - kNames.begin());
}

void color_boxes(const GroupTree& tree, ColorBy by, BoxTree& boxes) {
  if (by == ColorBy::kOp) return color_ops(tree, boxes);
  if (by == ColorBy::kWeights) return color_weights(boxes);
  if (by == ColorBy::kRole) {
    for (Box& box : boxes.boxes) box.color = role_name(box.role);
    return;
  }
  color_values(tree, kMixed, boxes,
               [&](uint32_t node) { return value_of(tree.scene().node(node), by); });
}

void mark_boxes(const GroupTree& tree, const std::unordered_map<std::string, std::string>& marks,
                BoxTree& boxes) {
  color_values(tree, "changed", boxes, [&](uint32_t node) {
    const auto found = marks.find(tree.node_name(node));
    return found == marks.end() ? std::string("same") : found->second;
  });
}

std::vector<std::string> box_tints(const std::vector<Box>& boxes) {
  std::vector<std::string> tints(boxes.size());
  TintClasses classes;
  for (const bool is_open : {false, true}) {
    for (size_t i = 0; i < boxes.size(); ++i) {
      if (boxes[i].is_open == is_open) tints[i] = classes.of(boxes[i].color);
    }
  }
  return tints;
}

}  // namespace cryo
