#include "picture/place/columns.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>

#include "base/sort.h"

namespace cryo {
namespace {

constexpr double kRowGap = 30;         // about, between rows
constexpr double kColumnGap = 32;      // between columns, without lines
constexpr double kConnectorPitch = 9;  // of lines
constexpr double kLineRoom = 8;        // of lines from what is next to them

double row_height(const std::vector<uint32_t>& row, const std::vector<UnitSize>& sizes) {
  double height = 0;
  for (const uint32_t unit : row) height = std::max(height, sizes[unit].h);
  return height + kRowGap;
}

double row_width(const std::vector<uint32_t>& row, const std::vector<UnitSize>& sizes) {
  double width = 0;
  for (const uint32_t unit : row) width += sizes[unit].w + kColumnGap;
  return width;
}

// Places at which rows are divided, and lines are led between columns.
class ColumnMaker {
 public:
  ColumnMaker(const UnitRows& rows, const std::vector<UnitSize>& sizes,
              const std::vector<EdgeSegment>& segments, size_t count)
      : rows_(rows), sizes_(sizes), segments_(segments), row_of_(sizes.size(), 0) {
    for (size_t row = 0; row < rows.size(); ++row) {
      for (const uint32_t unit : rows[row]) row_of_[unit] = row;
    }
    made_.column_of.assign(sizes.size(), kBorder);
    divide(count);
  }

  Columns make() {
    std::vector<std::vector<EdgeSegment>> inner(starts_.size());
    for (const EdgeSegment& segment : segments_) add_segment(segment, inner);
    for (size_t column = 0; column < starts_.size(); ++column)
      arrange_column(column, inner[column]);
    find_entries();
    place();
    return std::move(made_);
  }

 private:
  size_t end_of(size_t column) const {
    return column + 1 < starts_.size() ? starts_[column + 1] : rows_.size();
  }

  // Divides the rows into columns of about one height, where few nets pass.
  void divide(size_t count) {
    std::vector<double> until = {0};
    for (const auto& row : rows_) until.push_back(until.back() + row_height(row, sizes_));
    const std::vector<uint32_t> passing = passing_nets();
    starts_.push_back(0);
    for (size_t column = 1; column < count; ++column) {
      const double start = until[starts_.back()];
      const double wanted = (until.back() - start) / static_cast<double>(count - column + 1);
      size_t best = 0;
      double least = 0;
      for (size_t row = starts_.back() + 1; row < rows_.size(); ++row) {
        const double miss = std::abs(until[row] - start - wanted) / wanted;
        const double cost = miss + 0.1 * static_cast<double>(passing[row]);
        if (best != 0 && cost >= least) continue;
        best = row;
        least = cost;
      }
      if (best == 0) break;
      starts_.push_back(best);
    }
    for (size_t column = 0; column < starts_.size(); ++column) {
      for (size_t row = starts_[column]; row < end_of(column); ++row) {
        for (const uint32_t unit : rows_[row])
          made_.column_of[unit] = static_cast<uint32_t>(column);
      }
    }
  }

  // The nets that pass from the rows above each row to it or to rows below.
  std::vector<uint32_t> passing_nets() const {
    std::vector<uint32_t> passing(rows_.size() + 1, 0);
    for (const EdgeSegment& segment : segments_) {
      if (segment.from == kBorder || segment.to == kBorder) continue;
      ++passing[row_of_[segment.from] + 1];
      --passing[row_of_[segment.to] + 1];
    }
    for (size_t row = 1; row < passing.size(); ++row) passing[row] += passing[row - 1];
    return passing;
  }

  uint32_t column(uint32_t unit) const { return made_.column_of[unit]; }

  // The parts of a segment in the columns that it leads through, and the way between them.
  void add_segment(const EdgeSegment& segment, std::vector<std::vector<EdgeSegment>>& inner) {
    const auto [net, from, to] = segment;
    if (from != kBorder && to != kBorder && column(from) != column(to)) {
      inner[column(from)].push_back({net, from, kBorder});
      inner[column(to)].push_back({net, kBorder, to});
      made_.connectors.push_back({net, column(from), column(to)});
      return;
    }
    if (from == kBorder) entered_.emplace(net, column(to));
    if (to == kBorder) left_.emplace(net, column(from));
    inner[column(from == kBorder ? to : from)].push_back(segment);
  }

  void arrange_column(size_t column, std::vector<EdgeSegment>& segments) {
    const auto key = [](const EdgeSegment& each) {
      return std::tuple(each.net, each.from, each.to);
    };
    sort(segments, [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
    segments.erase(std::unique(segments.begin(), segments.end(), same), segments.end());
    const UnitRows rows(rows_.begin() + static_cast<std::ptrdiff_t>(starts_[column]),
                        rows_.begin() + static_cast<std::ptrdiff_t>(end_of(column)));
    made_.columns.push_back({arrange(rows, sizes_, segments)});
  }

  // A net that enters several columns is led from the first of them to the others.
  void find_entries() {
    for (auto at = entered_.begin(); at != entered_.end();) {
      const auto first = at;
      for (++at; at != entered_.end() && at->first == first->first; ++at)
        made_.connectors.push_back({first->first, first->second, at->second, true});
    }
    const auto key = [](const Connector& each) {
      return std::tuple(each.net, each.from, each.to, each.enters);
    };
    sort(made_.connectors, [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
    made_.connectors.erase(std::unique(made_.connectors.begin(), made_.connectors.end(), same),
                           made_.connectors.end());
  }

  void place() {
    const auto lines = static_cast<double>(made_.connectors.size());
    const double top = lines == 0 ? 0 : 2 * kLineRoom + kConnectorPitch * (lines - 1);
    std::vector<double> entering(made_.columns.size(), 0);
    for (const Connector& each : made_.connectors) ++entering[each.to];
    double x = 0;
    for (size_t at = 0; at < made_.columns.size(); ++at) {
      Column& column = made_.columns[at];
      if (at > 0) x += kColumnGap + kConnectorPitch * entering[at];
      column.left = x;
      column.top = top;
      x += column.arrangement.width;
      made_.height = std::max(made_.height, top + column.arrangement.height);
    }
    made_.width = x;
    place_connectors();
    for (const auto& [net, at] : left_) set_port(made_.exits, net, at, false);
    for (const auto& [net, at] : entered_) set_port(made_.entries, net, at, true);
  }

  // The first column counts.
  void set_port(Ports& ports, uint32_t net, uint32_t at, bool enters) {
    const Column& column = made_.columns[at];
    const Ports& inner = enters ? column.arrangement.entries : column.arrangement.exits;
    ports.emplace(net, column.left + inner.at(net));
  }

  void place_connectors() {
    std::vector<double> used(made_.columns.size(), 0);
    double bottom = 0;
    double top = kLineRoom;
    double below = 0;
    for (Connector& each : made_.connectors) {
      each.top = top;
      top += kConnectorPitch;
      if (each.enters) continue;
      each.gutter =
          made_.columns[each.to].left - kColumnGap / 2 - kConnectorPitch * used[each.to]++;
      double end = 0;
      for (uint32_t at = each.from; at < each.to; ++at)
        end = std::max(end, made_.columns[at].top + made_.columns[at].arrangement.height);
      each.bottom = end + kLineRoom + kConnectorPitch * below++;
      bottom = std::max(bottom, each.bottom + kLineRoom);
    }
    made_.height = std::max(made_.height, bottom);
  }

  const UnitRows& rows_;
  const std::vector<UnitSize>& sizes_;
  const std::vector<EdgeSegment>& segments_;
  std::vector<size_t> row_of_;
  std::vector<size_t> starts_;                       // the first row of each column
  std::set<std::pair<uint32_t, uint32_t>> entered_;  // nets with columns
  std::set<std::pair<uint32_t, uint32_t>> left_;
  Columns made_;
};

}  // namespace

std::vector<size_t> column_counts(const UnitRows& rows, const std::vector<UnitSize>& sizes,
                                  const ColumnRoom& room) {
  double height = 0;
  double width = 0;
  for (const auto& row : rows) {
    height += row_height(row, sizes);
    width = std::max(width, row_width(row, sizes));
  }
  if (height <= room.height || rows.size() < 2) return {1};
  const size_t most =
      room.height < 1 ? rows.size()
                      : std::min(rows.size(), static_cast<size_t>(std::ceil(height / room.height)));
  const auto about = static_cast<size_t>(std::sqrt(height * room.aspect / std::max(width, 1.0)));
  std::vector<size_t> counts = {1};
  for (size_t count = std::max<size_t>(about, 2); count <= std::min(about + 1, most); ++count)
    counts.push_back(count);
  return counts;
}

Columns arrange_columns(const UnitRows& rows, const std::vector<UnitSize>& sizes,
                        const std::vector<EdgeSegment>& segments, size_t count) {
  return ColumnMaker(rows, sizes, segments, count).make();
}

}  // namespace cryo
