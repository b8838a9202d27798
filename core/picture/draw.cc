#include "picture/draw.h"

#include <utility>

#include "graph/functions/function_body.h"
#include "picture/box_tree.h"
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

}  // namespace

Result<Picture> draw(const Graph& graph, const DrawOptions& options) {
  TRY(scene, scene_of(graph, options.function));
  const std::vector<NodeRole> roles = node_roles(graph, scene);
  const Folding folding = options.raw ? Folding(scene.size()) : Folding(scene, roles);
  GroupTree tree(scene, roles, folding);
  stack_repeats(tree);
  divide_large_groups(tree);
  stack_repeats(tree);  // of sections
  const std::vector<bool> open = open_groups(tree, options.opening);
  OpenGroups groups;
  BoxTree boxes = make_boxes(tree, open, groups);
  if (options.marks.empty()) {
    color_boxes(tree, options.color, boxes);
  } else {
    mark_boxes(tree, options.marks, boxes);
  }
  Picture picture;
  picture.function = options.function;
  picture.nodes = scene.size();
  picture.edges = find_edges(tree, boxes, groups);
  place(boxes, groups, picture.edges, picture);
  for (const Box& box : boxes.boxes) {
    if (box.is_open) picture.open.push_back(box.name);
  }
  picture.boxes = std::move(boxes.boxes);
  return picture;
}

}  // namespace cryo
