#include "picture/place/placement.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/sort.h"
#include "picture/captions.h"
#include "picture/place/shelves.h"

namespace cryo {
namespace {

constexpr double kPadding = 14;  // of an open box around its units
constexpr double kHeader = 30;   // of an open box, for its label
constexpr double kPartGap = 28;  // between parts of a group
constexpr double kStub = 17;     // room for the end of a stub
constexpr double kMargin = 20;   // around the picture
constexpr double kTrayGap = 36;  // between the trays and the rest

// The units of an open group, arranged; places are from the top left corner of its contents.
struct Contents {
  Arrangement main = {};  // the part that edges enter and leave
  double width = 0;
  double height = 0;
  double left = 0;  // of the contents in the box
  double top = 0;
};

class Placer {
 public:
  Placer(BoxTree& boxes, OpenGroups& groups, std::vector<PictureEdge>& edges, Picture& picture)
      : boxes_(boxes), groups_(groups), edges_(edges), picture_(picture) {}

  void run() {
    for (auto box = static_cast<uint32_t>(boxes_.boxes.size()); box-- > 0;) {
      if (boxes_.boxes[box].is_open) arrange_group(box);
    }
    arrange_group(kNoBox);
    Contents& root = contents_[kNoBox];
    root.left = root.top = kMargin;
    place_trays(root);
    picture_.width = quarters(root.width + 2 * kMargin);
    picture_.height = quarters(root.height + 2 * kMargin);
    // Outer boxes precede inner ones.
    for (Box& box : boxes_.boxes) {
      const Contents& around = contents_[box.parent];
      const double left = box.parent == kNoBox ? 0 : boxes_.boxes[box.parent].x;
      const double top = box.parent == kNoBox ? 0 : boxes_.boxes[box.parent].y;
      box.x = quarters(left + around.left + box.x);
      box.y = quarters(top + around.top + box.y);
    }
    for (PictureEdge& edge : edges_) edge.stub ? place_stub(edge) : route(edge);
  }

 private:
  UnitSize extent_of(uint32_t box) {
    const Box& of = boxes_.boxes[box];
    UnitSize extent{of.w, of.h + (of.has_stub_in ? kStub : 0) + (of.has_stub_out ? kStub : 0),
                    of.is_open};
    if (of.is_open) {
      extent.entries = &contents_[box].main.entries;
      extent.exits = &contents_[box].main.exits;
    }
    return extent;
  }

  bool is_tray(uint32_t box) const { return boxes_.boxes[box].kind == BoxKind::kTray; }

  // `box`: kNoBox for the root.
  void arrange_group(uint32_t box) {
    const OpenGroup& group = groups_.at(box);
    Contents contents;
    std::vector<UnitSize> extents;
    for (const uint32_t each : group.boxes) extents.push_back(extent_of(each));
    std::vector<Arrangement> parts;
    const std::vector<UnitRows>& all = group.level.parts;
    std::map<uint32_t, size_t> part_of;
    for (size_t part = 0; part < all.size(); ++part) {
      for (const auto& row : all[part]) {
        for (const uint32_t unit : row) part_of[unit] = part;
      }
    }
    std::vector<std::vector<EdgeSegment>> segments(all.size());
    for (const EdgeSegment& segment : group.segments)
      segments[part_of.at(segment.from == kBorder ? segment.to : segment.from)].push_back(segment);
    for (size_t part = 0; part < all.size(); ++part)
      parts.push_back(arrange(all[part], extents, segments[part]));
    set_parts(group, parts, contents);
    if (box != kNoBox) fit_box(box, contents);
    contents_[box] = std::move(contents);
  }

  // The first part with the edges across the border from top to bottom, the others on its right.
  void set_parts(const OpenGroup& group, std::vector<Arrangement>& parts, Contents& contents) {
    std::vector<UnitSize> sizes;
    std::vector<Arrangement*> packed;
    for (size_t i = 1; i < parts.size(); ++i) {
      const uint32_t first = group.boxes[parts[i].places.front().first];
      if (is_tray(first)) continue;
      packed.push_back(&parts[i]);
      sizes.push_back({parts[i].width, parts[i].height});
    }
    const Shelves shelves = pack(sizes, kPartGap);
    const bool has_main = !parts[0].places.empty();
    const double left = has_main && !sizes.empty() ? parts[0].width + kPartGap : parts[0].width;
    set_places(group, parts[0], 0, 0);
    for (size_t i = 0; i < packed.size(); ++i)
      set_places(group, *packed[i], left + shelves.places[i].first, shelves.places[i].second);
    contents.width = left + shelves.width;
    contents.height = std::max(parts[0].height, shelves.height);
    courses_of_parts(parts, left, shelves, packed, contents);
  }

  // One list of courses for all parts, in the contents' places.
  static void courses_of_parts(std::vector<Arrangement>& parts, double left, const Shelves& shelves,
                               const std::vector<Arrangement*>& packed, Contents& contents) {
    contents.main = std::move(parts[0]);
    for (size_t i = 0; i < packed.size(); ++i) {
      for (EdgeRoute& route : packed[i]->routes) {
        for (double& x : route.xs) x += left + shelves.places[i].first;
        for (double& y : route.turns) y += shelves.places[i].second;
        for (EdgeRoute::Sink& sink : route.sinks) sink.x += left + shelves.places[i].first;
        contents.main.routes.push_back(std::move(route));
      }
    }
    sort(contents.main.routes,
         [](const EdgeRoute& a, const EdgeRoute& b) { return a.net < b.net; });
  }

  void set_places(const OpenGroup& group, const Arrangement& part, double left, double top) {
    for (const auto& [unit, place] : part.places) {
      Box& box = boxes_.boxes[group.boxes[unit]];
      box.x = left + place.first;
      box.y = top + place.second + (box.has_stub_in ? kStub : 0);
    }
  }

  void fit_box(uint32_t at, Contents& contents) {
    Box& box = boxes_.boxes[at];
    box.w = std::ceil(std::max(contents.width + 2 * kPadding, open_width(box)));
    box.h = std::ceil(kHeader + contents.height + kPadding);
    contents.left = quarters((box.w - contents.width) / 2);
    contents.top = kHeader;
    for (Ports* ports : {&contents.main.entries, &contents.main.exits}) {
      for (auto& [net, x] : *ports) x += contents.left - box.w / 2;
    }
  }

  // The input pipeline above, the other trays below.
  void place_trays(Contents& root) {
    std::vector<uint32_t> above;
    std::vector<uint32_t> below;
    for (const uint32_t box : groups_.at(kNoBox).boxes) {
      if (!is_tray(box)) continue;
      (boxes_.boxes[box].role == NodeRole::kPipeline ? above : below).push_back(box);
    }
    const double top = set_trays(root, above, 0);
    if (!above.empty()) {
      for (const uint32_t box : groups_.at(kNoBox).boxes) {
        if (!is_tray(box)) boxes_.boxes[box].y += top + kTrayGap;
      }
      for (EdgeRoute& route : root.main.routes) {
        for (double& y : route.turns) y += top + kTrayGap;
      }
      root.height += top + kTrayGap;
    }
    if (!below.empty()) root.height = set_trays(root, below, root.height + kTrayGap);
  }

  // Returns where they end.
  double set_trays(Contents& root, const std::vector<uint32_t>& trays, double top) {
    constexpr double kLeast = 480;
    const double most = std::max(root.width, kLeast);
    double x = 0;
    double y = top;
    double bottom = top;
    for (const uint32_t tray : trays) {
      Box& box = boxes_.boxes[tray];
      const UnitSize extent = extent_of(tray);
      if (x > 0 && x + box.w > most) {
        x = 0;
        y = bottom + kPartGap / 2;
      }
      box.x = x;
      box.y = y + (box.has_stub_in ? kStub : 0);
      x += box.w + kPartGap / 2;
      bottom = std::max(bottom, y + extent.h);
      root.width = std::max(root.width, x - kPartGap / 2);
    }
    return bottom;
  }

  // The two ends of a stub; the writers draw only these.
  void place_stub(PictureEdge& edge) {
    const Box& from = boxes_.boxes[edge.from];
    const Box& to = boxes_.boxes[edge.to];
    edge.points = {quarters(from.x + from.w / 2), from.y + from.h, quarters(to.x + to.w / 2), to.y};
    edge.back = edge.points[3] <= edge.points[1];
  }

  const EdgeRoute& course_of(uint32_t group, uint32_t net) {
    const std::vector<EdgeRoute>& routes = contents_[group].main.routes;
    return *std::lower_bound(routes.begin(), routes.end(), net,
                             [](const EdgeRoute& route, uint32_t key) { return route.net < key; });
  }

  // From the source out of the groups around it, and into those around the target.
  void route(PictureEdge& edge) {
    std::vector<std::pair<uint32_t, uint32_t>> ways;  // group and the unit's box; kNoBox: out of it
    std::vector<std::pair<uint32_t, uint32_t>> inwards;
    uint32_t from = edge.from;
    uint32_t to = edge.to;
    const auto parent = [&](uint32_t box) { return boxes_.boxes[box].parent; };
    while (parent(from) != parent(to)) {
      const bool leaves = boxes_.depths[from] >= boxes_.depths[to];
      const bool enters = boxes_.depths[to] >= boxes_.depths[from];
      if (leaves) {
        ways.emplace_back(parent(from), kNoBox);
        from = parent(from);
      }
      if (enters) {
        inwards.emplace_back(parent(to), to);
        to = parent(to);
      }
    }
    ways.emplace_back(parent(to), to);
    ways.insert(ways.end(), inwards.rbegin(), inwards.rend());
    for (const auto& [group, unit] : ways) add_way(edge, group, unit);
    const Box& end = boxes_.boxes[edge.to];
    const double x = std::clamp(last_x_, end.x, end.x + end.w);
    edge.points.push_back(quarters(x));
    edge.points.push_back(end.y);
  }

  // The part of an edge's way within one group.
  void add_way(PictureEdge& edge, uint32_t group, uint32_t unit) {
    const EdgeRoute& route = course_of(group, edge.from);
    const Contents& contents = contents_[group];
    const double left = contents.left + (group == kNoBox ? 0 : boxes_.boxes[group].x);
    const double top = contents.top + (group == kNoBox ? 0 : boxes_.boxes[group].y);
    const uint32_t place =
        unit == kNoBox ? kBorder : groups_.at(group).places.of(boxes_.units[unit]);
    const auto sink = std::find_if(route.sinks.begin(), route.sinks.end(),
                                   [&](const EdgeRoute::Sink& each) { return each.unit == place; });
    if (edge.points.empty()) {
      const Box& start = boxes_.boxes[edge.from];
      const double x = std::clamp(left + route.xs[0], start.x, start.x + start.w);
      edge.points = {quarters(x), start.y + start.h};
    }
    for (size_t row = route.first; row < sink->row; ++row) {
      const size_t at = row - route.first;
      const double x = left + route.xs[at];
      const double next = left + (row + 1 == sink->row ? sink->x : route.xs[at + 1]);
      if (quarters(x) != quarters(next)) {
        const double y = quarters(top + route.turns[at]);
        edge.points.insert(edge.points.end(), {quarters(x), y, quarters(next), y});
      }
      last_x_ = next;
    }
  }

  BoxTree& boxes_;
  OpenGroups& groups_;
  std::vector<PictureEdge>& edges_;
  Picture& picture_;
  std::map<uint32_t, Contents> contents_;
  double last_x_ = 0;
};

}  // namespace

void place(BoxTree& boxes, OpenGroups& groups, std::vector<PictureEdge>& edges, Picture& picture) {
  Placer(boxes, groups, edges, picture).run();
}

}  // namespace cryo
