#include "picture/place/nets.h"

#include <algorithm>
#include <tuple>

#include "base/sort.h"
#include "base/text.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

struct Crossing {
  uint32_t from;
  uint32_t to;
  uint32_t node;
  uint32_t port;
  bool control;
};

std::string tensor_label(const GroupTree& tree, const Crossing& crossing) {
  const Node& node = tree.scene().node(crossing.node);
  const Shape shape = output_shape(node, crossing.port);
  const auto dtype = output_dtype(node, crossing.port, nullptr);
  if (!dtype) return shape.unknown_rank ? "" : to_text(shape);
  const std::string name = dtype_name(base(*dtype));
  return shape.unknown_rank ? name : cat(name, " ", to_text(shape));
}

// One edge for all inputs that cross between two boxes.
void add_up(const GroupTree& tree, BoxTree& boxes, std::vector<PictureEdge>& edges) {
  std::vector<Crossing> crossings;
  const Folding& folding = tree.folding();
  for (uint32_t to = 0; to < tree.scene().size(); ++to) {
    if (folding.is_folded(to)) continue;
    for (const Edge& edge : tree.scene().edges().inputs(to)) {
      if (edge.node == kNoNode || folding.is_folded(edge.node)) continue;
      const uint32_t a = boxes.box_of_node[edge.node];
      const uint32_t b = boxes.box_of_node[to];
      if (a != b) crossings.push_back({a, b, edge.node, edge.port, edge.control});
    }
  }
  sort(crossings, [](const Crossing& a, const Crossing& b) {
    return std::tie(a.from, a.to, a.control, a.node, a.port) <
           std::tie(b.from, b.to, b.control, b.node, b.port);
  });
  for (size_t at = 0; at < crossings.size();) {
    const Crossing& first = crossings[at];
    PictureEdge edge{first.from, first.to};
    edge.control = first.control;
    bool one = !first.control;
    for (; at < crossings.size() && crossings[at].from == edge.from && crossings[at].to == edge.to;
         ++at) {
      ++edge.tensors;
      one = one && crossings[at].node == first.node && crossings[at].port == first.port;
    }
    if (one) edge.label = tensor_label(tree, first);
    edges.push_back(std::move(edge));
  }
}

uint32_t parent_of(const BoxTree& boxes, uint32_t box) { return boxes.boxes[box].parent; }

bool is_tray(const BoxTree& boxes, uint32_t box) { return boxes.boxes[box].kind == BoxKind::kTray; }

uint32_t place_in_group(const BoxTree& boxes, const OpenGroups& groups, uint32_t box) {
  return groups.at(parent_of(boxes, box)).places.of(boxes.units[box]);
}

// The rows that an edge passes below a unit, or above it.
uint32_t rows_to_border(const BoxTree& boxes, const OpenGroups& groups, uint32_t box, bool below) {
  const OpenGroup& group = groups.at(parent_of(boxes, box));
  const uint32_t row = group.level.row_of[place_in_group(boxes, groups, box)];
  return below ? static_cast<uint32_t>(group.level.parts[0].size()) - row : row + 1;
}

// `from`, `to`: the boxes around the ends, in one group.
void add_segments(const PictureEdge& edge, uint32_t from, uint32_t to, BoxTree& boxes,
                  OpenGroups& groups) {
  const uint32_t net = edge.from;
  for (uint32_t box = edge.from; box != from; box = parent_of(boxes, box))
    groups.at(parent_of(boxes, box))
        .segments.push_back({net, place_in_group(boxes, groups, box), kBorder});
  groups.at(parent_of(boxes, from))
      .segments.push_back(
          {net, place_in_group(boxes, groups, from), place_in_group(boxes, groups, to)});
  for (uint32_t box = edge.to; box != to; box = parent_of(boxes, box))
    groups.at(parent_of(boxes, box))
        .segments.push_back({net, kBorder, place_in_group(boxes, groups, box)});
}

EdgeCourse course_of(const GroupTree& tree, const BoxTree& boxes, const OpenGroups& groups,
                     uint32_t from, uint32_t to) {
  const OpenGroup& group = groups.at(parent_of(boxes, from));
  const std::vector<UnitEdge>& edges = tree.edges(group.group);
  const std::pair ends(boxes.units[from], boxes.units[to]);
  const auto found = std::lower_bound(
      edges.begin(), edges.end(), ends,
      [](const UnitEdge& edge, const auto& key) { return std::pair(edge.from, edge.to) < key; });
  return group.level.courses[static_cast<size_t>(found - edges.begin())];
}

void lead_edge(const GroupTree& tree, PictureEdge& edge, BoxTree& boxes, OpenGroups& groups) {
  uint32_t from = edge.from;
  uint32_t to = edge.to;
  bool long_way = false;
  edge.aside = is_tray(boxes, from) || is_tray(boxes, to);
  while (parent_of(boxes, from) != parent_of(boxes, to)) {
    const bool leaves = boxes.depths[from] >= boxes.depths[to];
    const bool enters = boxes.depths[to] >= boxes.depths[from];
    if (leaves) {
      long_way = long_way || rows_to_border(boxes, groups, from, true) > kLongestEdge;
      from = parent_of(boxes, from);
    }
    if (enters) {
      long_way = long_way || rows_to_border(boxes, groups, to, false) > kLongestEdge;
      to = parent_of(boxes, to);
    }
    edge.aside = edge.aside || is_tray(boxes, from) || is_tray(boxes, to);
  }
  const EdgeCourse course = course_of(tree, boxes, groups, from, to);
  edge.back = course == EdgeCourse::kBack;
  edge.stub = edge.aside || long_way || course != EdgeCourse::kDown;
  if (!edge.stub) add_segments(edge, from, to, boxes, groups);
}

}  // namespace

std::vector<PictureEdge> find_edges(const GroupTree& tree, BoxTree& boxes, OpenGroups& groups) {
  std::vector<PictureEdge> edges;
  add_up(tree, boxes, edges);
  for (PictureEdge& edge : edges) {
    lead_edge(tree, edge, boxes, groups);
    if (!edge.stub || edge.aside) continue;
    boxes.boxes[edge.from].has_stub_out = true;
    boxes.boxes[edge.to].has_stub_in = true;
  }
  for (auto& [box, group] : groups) {
    sort(group.segments, [](const EdgeSegment& a, const EdgeSegment& b) {
      return std::tie(a.net, a.from, a.to) < std::tie(b.net, b.from, b.to);
    });
    const auto same = [](const EdgeSegment& a, const EdgeSegment& b) {
      return a.net == b.net && a.to == b.to;
    };
    group.segments.erase(std::unique(group.segments.begin(), group.segments.end(), same),
                         group.segments.end());
  }
  return edges;
}

}  // namespace cryo
