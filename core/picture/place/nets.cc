#include "picture/place/nets.h"

#include <algorithm>
#include <tuple>

#include "base/sort.h"
#include "base/text.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

class EdgeFinder {
 public:
  EdgeFinder(const GroupTree& tree, BoxTree& boxes, OpenGroups& groups)
      : tree_(tree), boxes_(boxes), groups_(groups) {}

  std::vector<PictureEdge> find() {
    add_up();
    for (PictureEdge& edge : edges_) {
      lead(edge);
      if (!edge.stub || edge.aside) continue;
      boxes_.boxes[edge.from].has_stub_out = true;
      boxes_.boxes[edge.to].has_stub_in = true;
    }
    for (auto& [box, group] : groups_) {
      sort(group.segments, [](const EdgeSegment& a, const EdgeSegment& b) {
        return std::tie(a.net, a.from, a.to) < std::tie(b.net, b.from, b.to);
      });
      const auto same = [](const EdgeSegment& a, const EdgeSegment& b) {
        return a.net == b.net && a.to == b.to;
      };
      group.segments.erase(std::unique(group.segments.begin(), group.segments.end(), same),
                           group.segments.end());
    }
    return std::move(edges_);
  }

 private:
  struct Crossing {
    uint32_t from;
    uint32_t to;
    uint32_t node;
    uint32_t port;
    bool control;
  };

  // One edge for all inputs that cross between two boxes.
  void add_up() {
    std::vector<Crossing> crossings;
    const Folding& folding = tree_.folding();
    for (uint32_t to = 0; to < tree_.scene().size(); ++to) {
      if (folding.is_folded(to)) continue;
      for (const Edge& edge : tree_.scene().edges().inputs(to)) {
        if (edge.node == kNoNode || folding.is_folded(edge.node)) continue;
        const uint32_t a = boxes_.box_of_node[edge.node];
        const uint32_t b = boxes_.box_of_node[to];
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
      for (;
           at < crossings.size() && crossings[at].from == edge.from && crossings[at].to == edge.to;
           ++at) {
        ++edge.tensors;
        one = one && crossings[at].node == first.node && crossings[at].port == first.port;
      }
      if (one) edge.label = tensor_label(first);
      edges_.push_back(std::move(edge));
    }
  }

  std::string tensor_label(const Crossing& crossing) const {
    const Node& node = tree_.scene().node(crossing.node);
    const Shape shape = output_shape(node, crossing.port);
    const auto dtype = output_dtype(node, crossing.port, nullptr);
    if (!dtype) return shape.unknown_rank ? "" : to_text(shape);
    const std::string name = dtype_name(base(*dtype));
    return shape.unknown_rank ? name : cat(name, " ", to_text(shape));
  }

  uint32_t parent(uint32_t box) const { return boxes_.boxes[box].parent; }
  bool is_tray(uint32_t box) const { return boxes_.boxes[box].kind == BoxKind::kTray; }
  uint32_t place(uint32_t box) const {
    return groups_.at(parent(box)).places.of(boxes_.units[box]);
  }

  EdgeCourse course(uint32_t from, uint32_t to) const {
    const OpenGroup& group = groups_.at(parent(from));
    const std::vector<UnitEdge>& edges = tree_.edges(group.group);
    const std::pair ends(boxes_.units[from], boxes_.units[to]);
    const auto found = std::lower_bound(
        edges.begin(), edges.end(), ends,
        [](const UnitEdge& edge, const auto& key) { return std::pair(edge.from, edge.to) < key; });
    return group.level.courses[static_cast<size_t>(found - edges.begin())];
  }

  // The rows that an edge passes below a unit, or above it.
  uint32_t rows_to_border(uint32_t box, bool below) const {
    const OpenGroup& group = groups_.at(parent(box));
    const uint32_t row = group.level.row_of[place(box)];
    return below ? static_cast<uint32_t>(group.level.parts[0].size()) - row : row + 1;
  }

  void lead(PictureEdge& edge) {
    uint32_t from = edge.from;
    uint32_t to = edge.to;
    bool long_way = false;
    edge.aside = is_tray(from) || is_tray(to);
    while (parent(from) != parent(to)) {
      const bool leaves = boxes_.depths[from] >= boxes_.depths[to];
      const bool enters = boxes_.depths[to] >= boxes_.depths[from];
      if (leaves) {
        long_way = long_way || rows_to_border(from, true) > kLongestEdge;
        from = parent(from);
      }
      if (enters) {
        long_way = long_way || rows_to_border(to, false) > kLongestEdge;
        to = parent(to);
      }
      edge.aside = edge.aside || is_tray(from) || is_tray(to);
    }
    const EdgeCourse course = this->course(from, to);
    edge.back = course == EdgeCourse::kBack;
    edge.stub = edge.aside || long_way || course != EdgeCourse::kDown;
    if (!edge.stub) add_segments(edge, from, to);
  }

  // `from`, `to`: the boxes around the ends, in one group.
  void add_segments(const PictureEdge& edge, uint32_t from, uint32_t to) {
    const uint32_t net = edge.from;
    for (uint32_t box = edge.from; box != from; box = parent(box))
      groups_.at(parent(box)).segments.push_back({net, place(box), kBorder});
    groups_.at(parent(from)).segments.push_back({net, place(from), place(to)});
    for (uint32_t box = edge.to; box != to; box = parent(box))
      groups_.at(parent(box)).segments.push_back({net, kBorder, place(box)});
  }

  const GroupTree& tree_;
  BoxTree& boxes_;
  OpenGroups& groups_;
  std::vector<PictureEdge> edges_;
};

}  // namespace

std::vector<PictureEdge> find_edges(const GroupTree& tree, BoxTree& boxes, OpenGroups& groups) {
  return EdgeFinder(tree, boxes, groups).find();
}

}  // namespace cryo
