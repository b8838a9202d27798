#include "picture/draw.h"

#include <optional>
#include <utility>

#include "graph/functions/function_body.h"
#include "picture/box_tree.h"
#include "picture/groups/asides.h"
#include "picture/groups/families.h"
#include "picture/groups/layers.h"
#include "picture/groups/repeats.h"
#include "picture/groups/sections.h"
#include "picture/place/placement.h"

namespace cryo {
namespace {

Result<Scene> scene_of(const Graph& graph, const std::string& function) {
  if (function.empty()) return Scene(graph);
  TRY(found, function_named(graph, function));
  return Scene::of_function(graph, found);
}

// Finds what belongs together, from the surest evidence to the weakest.
void find_groups(GroupTree& tree) {
  gather_asides(tree);
  stack_pins(tree);
  gather_families(tree);
  gather_layers(tree);
  stack_repeats(tree);
  find_modules(tree);
  stack_repeats(tree);  // of modules
  divide_large_groups(tree);
  stack_repeats(tree);  // of sections
}

Picture draw_open(const GroupTree& tree, const std::vector<bool>& open,
                  const DrawOptions& options) {
  OpenGroups groups;
  BoxTree boxes = make_boxes(tree, open, groups);
  if (options.marks.empty()) {
    color_boxes(tree, options.color, boxes);
  } else {
    mark_boxes(tree, options.marks, boxes);
  }
  Picture picture;
  picture.function = options.function;
  picture.nodes = tree.scene().size();
  picture.edges = find_edges(tree, boxes, groups);
  place(boxes, groups, picture.edges, options.pane, picture);
  for (const Box& box : boxes.boxes) {
    if (box.is_open) picture.open.push_back(box.name);
  }
  picture.boxes = std::move(boxes.boxes);
  return picture;
}

// Opens as many groups as the pane holds at a readable scale.
Picture draw_first_view(const GroupTree& tree, const DrawOptions& options) {
  std::optional<Picture> best;
  open_by_benefit(tree, [&](const std::vector<bool>& open) {
    Picture picture = draw_open(tree, open, options);
    if (scale_in(options.pane, picture) < kFirstScale) return false;
    best = std::move(picture);
    return true;
  });
  if (best) return std::move(*best);
  std::vector<bool> root(tree.groups().size(), false);
  root[kRootGroup] = true;
  return draw_open(tree, root, options);
}

}  // namespace

Result<Picture> draw(const Graph& graph, const DrawOptions& options) {
  TRY(scene, scene_of(graph, options.function));
  const std::vector<NodeRole> roles = node_roles(graph, scene);
  const Folding folding = options.raw ? Folding(scene.size()) : Folding(scene, roles);
  const Ways ways = find_ways(scene, roles, options.ends);
  GroupTree tree(scene, roles, folding, ways);
  find_groups(tree);
  if (options.opening.is_first_view()) return draw_first_view(tree, options);
  return draw_open(tree, open_groups(tree, options.opening), options);
}

}  // namespace cryo
