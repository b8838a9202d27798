#include "picture/place/arrangement.h"

#include <algorithm>
#include <numeric>

#include "base/sort.h"
#include "picture/picture.h"
#include "picture/place/compaction.h"
#include "picture/place/tracks.h"

namespace cryo {
namespace {

constexpr double kLineWeight = 4;  // a passing line is kept straight before all else
constexpr double kInset = 10;      // of a line's end from a box's corner
constexpr double kEndGap = 10;     // between ends of lines on one box
constexpr int kRounds = 2;

double port(const Ports* ports, uint32_t net) {
  if (ports == nullptr) return 0;
  const auto found = ports->find(net);
  return found == ports->end() ? 0 : found->second;
}

// Row 0 is the upper border, the last row the lower one.
class Arranger {
 public:
  Arranger(const UnitRows& rows, const std::vector<UnitSize>& extents,
           const std::vector<EdgeSegment>& segments)
      : units_(rows), extents_(extents), rows_(rows.size() + 2), row_of_(extents.size(), 0) {
    item_of_.assign(extents.size(), kBorder);
    for (size_t row = 0; row < rows.size(); ++row) {
      for (const uint32_t unit : rows[row]) {
        row_of_[unit] = row + 1;
        item_of_[unit] = add_item(extents[unit].w);
      }
    }
    for (size_t at = 0; at < segments.size();) {
      size_t end = at;
      while (end < segments.size() && segments[end].net == segments[at].net) ++end;
      add_route({segments.begin() + static_cast<std::ptrdiff_t>(at),
                 segments.begin() + static_cast<std::ptrdiff_t>(end)});
      at = end;
    }
  }

  Arrangement run() {
    estimate();
    for (int round = 0; round < kRounds; ++round) {
      fill_rows();
      compact(rows_, items_);
      if (round + 1 < kRounds) rekey();
    }
    finish_courses();
    place();
    return std::move(made_);
  }

 private:
  uint32_t add_item(double width) {
    items_.push_back({.width = width});
    return static_cast<uint32_t>(items_.size() - 1);
  }

  void link(uint32_t upper, uint32_t lower, double offset, double weight) {
    items_[upper].down.push_back({lower, -offset, weight});
    items_[lower].up.push_back({upper, offset, weight});
  }

  void add_route(const std::vector<EdgeSegment>& segments) {
    EdgeRoute route{segments.front().net};
    const uint32_t origin = segments.front().from;
    route.first = origin == kBorder ? 0 : row_of_[origin];
    size_t last = 0;
    for (const EdgeSegment& segment : segments) {
      const size_t row = segment.to == kBorder ? rows_.size() - 1 : row_of_[segment.to];
      route.sinks.push_back({segment.to, row});
      last = std::max(last, row);
    }
    Line line;
    double out = 0;
    if (origin == kBorder) {
      line.items.push_back(add_line(0));
    } else {
      line.items.push_back(item_of_[origin]);
      out = port(extents_[origin].exits, route.net);
    }
    for (size_t row = route.first + 1; row < last; ++row) {
      line.items.push_back(add_line(row));
      join(line, out, line.items.back(), 0);
    }
    for (const EdgeRoute::Sink& sink : route.sinks) {
      if (sink.unit == kBorder) {
        line.items.push_back(add_line(sink.row));
        join(line, out, line.items.back(), 0);
        continue;
      }
      const size_t above = sink.row - 1 - route.first;
      const double in = port(extents_[sink.unit].entries, route.net);
      link(line.items[above], item_of_[sink.unit], (above == 0 ? out : 0) - in, 1);
    }
    line.out = out;
    lines_.push_back(std::move(line));
    made_.routes.push_back(std::move(route));
  }

  // The items of a net from its origin on, one a row.
  struct Line {
    std::vector<uint32_t> items = {};
    double out = 0;
  };

  uint32_t add_line(size_t row) {
    const uint32_t item = add_item(0);
    passing_.emplace_back(row, item);
    return item;
  }

  void join(const Line& line, double out, uint32_t lower, double in) {
    const uint32_t upper = line.items[line.items.size() - 2];
    const bool from_origin = line.items.size() == 2;
    link(upper, lower, (from_origin ? out : 0) - in, kLineWeight);
  }

  // Places of units as if there were no lines, and of lines between the ends of their nets.
  void estimate() {
    for (const auto& row : units_) {
      double x = 0;
      for (const uint32_t unit : row) {
        items_[item_of_[unit]].x = x + extents_[unit].w / 2;
        x += extents_[unit].w + kEndGap;
      }
      for (const uint32_t unit : row) items_[item_of_[unit]].x -= x / 2;
    }
    for (size_t i = 0; i < lines_.size(); ++i) estimate(lines_[i], made_.routes[i]);
  }

  void estimate(const Line& line, const EdgeRoute& route) {
    double sum = 0;
    double count = 0;
    for (const EdgeRoute::Sink& sink : route.sinks) {
      if (sink.unit == kBorder) continue;
      sum += items_[item_of_[sink.unit]].x + port(extents_[sink.unit].entries, route.net);
      ++count;
    }
    const bool has_origin = items_[line.items[0]].width > 0;
    const double start =
        has_origin ? items_[line.items[0]].x + line.out : sum / std::max(count, 1.0);
    const double end = count == 0 ? start : sum / count;
    const auto steps = static_cast<double>(line.items.size());
    for (size_t i = has_origin ? 1 : 0; i < line.items.size(); ++i)
      items_[line.items[i]].x = start + (end - start) * static_cast<double>(i) / steps;
  }

  // Lines among the units, in the order of their places; units keep their order.
  void fill_rows() {
    for (auto& row : rows_) row.clear();
    for (const auto& [row, item] : passing_) rows_[row].push_back(item);
    for (size_t row = 0; row < rows_.size(); ++row) {
      sort(rows_[row], [&](uint32_t a, uint32_t b) { return items_[a].x < items_[b].x; });
      if (row == 0 || row + 1 == rows_.size()) continue;
      std::vector<uint32_t> merged;
      size_t at = 0;
      for (const uint32_t unit : units_[row - 1]) {
        const uint32_t item = item_of_[unit];
        while (at < rows_[row].size() && items_[rows_[row][at]].x < items_[item].x)
          merged.push_back(rows_[row][at++]);
        merged.push_back(item);
      }
      merged.insert(merged.end(), rows_[row].begin() + static_cast<std::ptrdiff_t>(at),
                    rows_[row].end());
      rows_[row] = std::move(merged);
    }
  }

  // Lines to where their links want them.
  void rekey() {
    for (const auto& passing : passing_) {
      RowItem& item = items_[passing.second];
      double sum = 0;
      double weight = 0;
      for (const auto* links : {&item.up, &item.down}) {
        for (const RowItem::Link& link : *links) {
          sum += link.weight * (items_[link.item].x + link.offset);
          weight += link.weight;
        }
      }
      if (weight > 0) item.x = sum / weight;
    }
  }

  void finish_courses() {
    double left = 0;
    double right = 0;
    for (const RowItem& item : items_) {
      left = std::min(left, item.x - item.width / 2);
      right = std::max(right, item.x + item.width / 2);
    }
    for (RowItem& item : items_) item.x = quarters(item.x - left);
    made_.width = quarters(right - left) + 0.25;
    for (size_t i = 0; i < lines_.size(); ++i) {
      EdgeRoute& route = made_.routes[i];
      for (size_t at = 0; at < lines_[i].items.size(); ++at)
        route.xs.push_back(items_[lines_[i].items[at]].x + (at == 0 ? lines_[i].out : 0));
      for (EdgeRoute::Sink& sink : route.sinks) end_line(route, sink);
    }
    part_ends();
  }

  void end_line(const EdgeRoute& route, EdgeRoute::Sink& sink) {
    if (sink.unit == kBorder) {
      sink.x = route.xs.back();
      return;
    }
    const RowItem& item = items_[item_of_[sink.unit]];
    const UnitSize& extent = extents_[sink.unit];
    const double above = route.xs[sink.row - 1 - route.first];
    const double reach = std::max(item.width / 2 - kInset, 0.0);
    sink.x = extent.is_open ? item.x + port(extent.entries, route.net)
                            : std::clamp(above, item.x - reach, item.x + reach);
  }

  // Moves ends of lines on one box apart, where there is room.
  void part_ends() {
    std::vector<std::vector<EdgeRoute::Sink*>> ends(extents_.size());
    for (EdgeRoute& route : made_.routes) {
      for (EdgeRoute::Sink& sink : route.sinks) {
        if (sink.unit != kBorder && !extents_[sink.unit].is_open) ends[sink.unit].push_back(&sink);
      }
    }
    for (size_t unit = 0; unit < ends.size(); ++unit) {
      std::vector<EdgeRoute::Sink*>& all = ends[unit];
      if (all.size() < 2) continue;
      sort(all, [](const auto* a, const auto* b) { return a->x < b->x; });
      const double reach = std::max(extents_[unit].w / 2 - kInset, 0.0);
      const double center = items_[item_of_[static_cast<uint32_t>(unit)]].x;
      const double gap =
          quarters(std::min(kEndGap, 2 * reach / static_cast<double>(all.size() - 1)) - 0.25);
      for (size_t i = 1; i < all.size(); ++i) all[i]->x = std::max(all[i]->x, all[i - 1]->x + gap);
      double most = center + reach;
      for (size_t i = all.size(); i-- > 0; most -= gap) all[i]->x = std::min(all[i]->x, most);
    }
  }

  // Heights of rows, with room between them for the turns of lines.
  void place() {
    double y = 0;
    for (size_t row = 0; row < rows_.size(); ++row) {
      double height = 0;
      bool all_closed = true;
      const bool is_border = row == 0 || row + 1 == rows_.size();
      if (!is_border) {
        for (const uint32_t unit : units_[row - 1]) {
          height = std::max(height, extents_[unit].h);
          all_closed = all_closed && !extents_[unit].is_open;
        }
        for (const uint32_t unit : units_[row - 1]) {
          const double down = all_closed ? quarters((height - extents_[unit].h) / 2) : 0;
          const double left = items_[item_of_[unit]].x - extents_[unit].w / 2;
          made_.places.push_back({unit, {left, y + down}});
        }
      }
      y += height;
      if (row + 1 < rows_.size()) y += lay_tracks(made_.routes, row, y, room_below(row));
    }
    made_.height = y;
    for (const EdgeRoute& route : made_.routes) {
      if (route.first == 0) made_.entries[route.net] = route.xs.front();
      for (const EdgeRoute::Sink& sink : route.sinks) {
        if (sink.unit == kBorder) made_.exits[route.net] = sink.x;
      }
    }
  }

  // A border without lines needs no room.
  TrackRoom room_below(size_t row) const {
    if (row == 0) return rows_.front().empty() ? TrackRoom{0, 0} : TrackRoom{2, 14};
    if (row + 2 == rows_.size()) return rows_.back().empty() ? TrackRoom{0, 0} : TrackRoom{10, 0};
    return {12, 16};
  }

  const UnitRows& units_;
  const std::vector<UnitSize>& extents_;
  RowItems rows_;
  std::vector<size_t> row_of_;
  std::vector<uint32_t> item_of_;
  std::vector<RowItem> items_;
  std::vector<std::pair<size_t, uint32_t>> passing_;  // lines and their rows
  std::vector<Line> lines_;                           // by course
  Arrangement made_;
};

}  // namespace

Arrangement arrange(const UnitRows& rows, const std::vector<UnitSize>& extents,
                    const std::vector<EdgeSegment>& segments) {
  return Arranger(rows, extents, segments).run();
}

}  // namespace cryo
