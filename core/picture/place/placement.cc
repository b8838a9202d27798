#include "picture/place/placement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/sort.h"
#include "picture/captions.h"
#include "picture/place/routing.h"
#include "picture/place/shelves.h"

namespace cryo {
namespace {

constexpr double kPadding = 14;         // of an open box around its units
constexpr double kHeader = 30;          // of an open box, for its label
constexpr double kPartGap = 28;         // between parts of a group
constexpr double kStub = 17;            // room for the end of a stub
constexpr double kMargin = 20;          // around the picture
constexpr double kTrayGap = 36;         // between the trays and the rest
constexpr size_t kMaxColumnCounts = 3;  // of columns that column_counts() returns

// The highest that a group in an open box may be before it is wrapped, in heights of the pane.
constexpr std::array kRooms = {1.0, 0.7, 0.45};
constexpr size_t kManyBoxes = 200;  // of which one way alone is tried

class Placer {
 public:
  Placer(BoxTree& boxes, OpenGroups& groups, std::vector<PictureEdge>& edges, Pane pane,
         Picture& picture)
      : boxes_(boxes), groups_(groups), edges_(edges), pane_(pane), picture_(picture) {}

  void run() {
    double best_scale = 0;
    double best = kRooms.front();
    for (const double room : kRooms) {
      arrange_all(room);
      const double scale = scale_in(pane_, picture_);
      if (scale > best_scale) {
        best_scale = scale;
        best = room;
      }
      if (scale >= 1 || boxes_.boxes.size() > kManyBoxes) break;
    }
    arrange_all(best);
    finish();
  }

 private:
  void arrange_all(double room) {
    contents_.clear();
    room_ = {room * pane_.height / kFirstScale, pane_.width / pane_.height};
    for (auto box = static_cast<uint32_t>(boxes_.boxes.size()); box-- > 0;) {
      if (boxes_.boxes[box].is_open) arrange_group(box);
    }
    arrange_root();
  }

  // The root with each number of columns and each place of the trays: the largest scale counts.
  void arrange_root() {
    struct Choice {
      size_t count = 1;
      bool trays_below = true;
    };
    Choice best;
    double best_scale = 0;
    for (size_t count = 0; count < kMaxColumnCounts; ++count) {
      for (const bool trays_below : {true, false}) {
        try_root(count, trays_below);
        const double scale = scale_in(pane_, picture_);
        if (scale <= best_scale) continue;
        best_scale = scale;
        best = {count, trays_below};
      }
      if (best_scale >= 1) break;
    }
    try_root(best.count, best.trays_below);
  }

  void try_root(size_t count, bool trays_below) {
    count_ = count;
    arrange_group(kNoBox);
    Contents& root = contents_[kNoBox];
    root.left = root.top = kMargin;
    trays_below ? place_trays(root) : place_trays_aside(root);
    picture_.width = quarters(root.width + 2 * kMargin);
    picture_.height = quarters(root.height + 2 * kMargin);
  }

  // Outer boxes precede inner ones.
  void finish() {
    for (Box& box : boxes_.boxes) {
      const Contents& around = contents_[box.parent];
      const double left = box.parent == kNoBox ? 0 : boxes_.boxes[box.parent].x;
      const double top = box.parent == kNoBox ? 0 : boxes_.boxes[box.parent].y;
      box.x = quarters(left + around.left + box.x);
      box.y = quarters(top + around.top + box.y);
    }
    route_edges(boxes_, groups_, contents_, edges_);
  }

  UnitSize extent_of(uint32_t box) {
    const Box& of = boxes_.boxes[box];
    UnitSize extent{of.w, of.h + (of.has_stub_in ? kStub : 0) + (of.has_stub_out ? kStub : 0),
                    of.is_open};
    if (of.is_open) {
      extent.entries = &contents_[box].entries;
      extent.exits = &contents_[box].exits;
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
    const std::vector<UnitRows>& all = group.level.parts;
    std::vector<uint32_t> part_of(extents.size(), 0);
    for (uint32_t part = 0; part < all.size(); ++part) {
      for (const auto& row : all[part]) {
        for (const uint32_t unit : row) part_of[unit] = part;
      }
    }
    std::vector<std::vector<EdgeSegment>> segments(all.size());
    for (const EdgeSegment& segment : group.segments)
      segments[part_of[segment.from == kBorder ? segment.to : segment.from]].push_back(segment);
    std::vector<Columns> parts;
    for (size_t part = 0; part < all.size(); ++part) {
      const bool is_tray_part =
          box == kNoBox && !all[part].empty() && is_tray(group.boxes[all[part].front().front()]);
      if (!all[part].empty() && !is_tray_part)
        parts.push_back(wrapped(box, all[part], extents, segments[part]));
    }
    contents.column_of.assign(extents.size(), kBorder);
    set_parts(group, parts, contents);
    if (box != kNoBox) fit_box(box, contents);
    contents_[box] = std::move(contents);
  }

  // The root has as many columns as are tried, others as many as they need.
  Columns wrapped(uint32_t box, const UnitRows& rows, const std::vector<UnitSize>& sizes,
                  const std::vector<EdgeSegment>& segments) const {
    const ColumnRoom room = box == kNoBox ? ColumnRoom{0, room_.aspect} : room_;
    const std::vector<size_t> counts = column_counts(rows, sizes, room);
    const size_t at = box == kNoBox ? std::min(count_, counts.size() - 1) : counts.size() - 1;
    return arrange_columns(rows, sizes, segments, counts[at]);
  }

  // The first part is at the left, the others are packed on its right.
  void set_parts(const OpenGroup& group, std::vector<Columns>& parts, Contents& contents) const {
    if (parts.empty()) return;
    std::vector<UnitSize> sizes;
    for (size_t i = 1; i < parts.size(); ++i) sizes.push_back({parts[i].width, parts[i].height});
    const Shelves shelves = pack(sizes, kPartGap);
    const double left = parts[0].width + (sizes.empty() ? 0 : kPartGap);
    contents.width = left + shelves.width;
    contents.height = std::max(parts[0].height, shelves.height);
    contents.entries = parts[0].entries;
    contents.exits = parts[0].exits;
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto [x, y] = i == 0 ? std::pair(0.0, 0.0) : shelves.places[i - 1];
      add_part(group, parts[i], {i == 0 ? 0 : left + x, y}, contents);
    }
    sort(contents.connectors, [](const auto& a, const auto& b) { return a.net < b.net; });
  }

  void add_part(const OpenGroup& group, Columns& part, std::pair<double, double> place,
                Contents& contents) const {
    const auto first = static_cast<uint32_t>(contents.columns.size());
    for (size_t unit = 0; unit < part.column_of.size(); ++unit) {
      if (part.column_of[unit] != kBorder) contents.column_of[unit] = first + part.column_of[unit];
    }
    for (Column& column : part.columns) {
      column.left += place.first;
      column.top += place.second;
      set_places(group, column);
      contents.columns.push_back(std::move(column));
    }
    for (Connector& each : part.connectors) {
      each.from += first;
      each.to += first;
      each.gutter += place.first;
      each.top += place.second;
      each.bottom += place.second;
      contents.connectors.push_back(each);
    }
  }

  void set_places(const OpenGroup& group, const Column& column) const {
    for (const auto& [unit, place] : column.arrangement.places) {
      Box& box = boxes_.boxes[group.boxes[unit]];
      box.x = column.left + place.first;
      box.y = column.top + place.second + (box.has_stub_in ? kStub : 0);
    }
  }

  void fit_box(uint32_t at, Contents& contents) {
    Box& box = boxes_.boxes[at];
    box.w = std::ceil(std::max(contents.width + 2 * kPadding, open_width(box)));
    box.h = std::ceil(kHeader + contents.height + kPadding);
    contents.left = quarters((box.w - contents.width) / 2);
    contents.top = kHeader;
    for (Ports* ports : {&contents.entries, &contents.exits}) {
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
    if (!above.empty()) move_down(root, top + kTrayGap);
    if (!below.empty()) root.height = set_trays(root, below, root.height + kTrayGap);
  }

  void move_down(Contents& root, double by) {
    for (const uint32_t box : groups_.at(kNoBox).boxes) {
      if (!is_tray(box)) boxes_.boxes[box].y += by;
    }
    for (Column& column : root.columns) column.top += by;
    for (Connector& each : root.connectors) {
      each.top += by;
      each.bottom += by;
    }
    root.height += by;
  }

  // At the right, one below the other.
  void place_trays_aside(Contents& root) {
    const double left = root.width == 0 ? 0 : root.width + kTrayGap;
    double y = 0;
    for (const uint32_t tray : groups_.at(kNoBox).boxes) {
      if (!is_tray(tray)) continue;
      Box& box = boxes_.boxes[tray];
      box.x = left;
      box.y = y + (box.has_stub_in ? kStub : 0);
      y += extent_of(tray).h + kPartGap / 2;
      root.width = std::max(root.width, left + box.w);
      root.height = std::max(root.height, y - kPartGap / 2);
    }
  }

  // Returns where they end.
  double set_trays(Contents& root, const std::vector<uint32_t>& trays, double top) {
    const double most = std::max(root.width, pane_.width);
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

  BoxTree& boxes_;
  OpenGroups& groups_;
  std::vector<PictureEdge>& edges_;
  Pane pane_;
  ColumnRoom room_;
  size_t count_ = 0;
  Picture& picture_;
  std::map<uint32_t, Contents> contents_;
};

}  // namespace

void place(BoxTree& boxes, OpenGroups& groups, std::vector<PictureEdge>& edges, Pane pane,
           Picture& picture) {
  Placer(boxes, groups, edges, pane, picture).run();
}

}  // namespace cryo
