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

// Nets with columns that they pass the upper or the lower border of.
struct ColumnNets {
  std::set<std::pair<uint32_t, uint32_t>> entered = {};
  std::set<std::pair<uint32_t, uint32_t>> left = {};
};

uint32_t column_of(const Columns& made, uint32_t unit) { return made.column_of[unit]; }

// The parts of a segment in the columns that it leads through, and the way between them.
void add_column_segment(const EdgeSegment& segment, std::vector<std::vector<EdgeSegment>>& inner,
                        ColumnNets& nets, Columns& made) {
  const auto [net, from, to] = segment;
  if (from != kBorder && to != kBorder && column_of(made, from) != column_of(made, to)) {
    inner[column_of(made, from)].push_back({net, from, kBorder});
    inner[column_of(made, to)].push_back({net, kBorder, to});
    made.connectors.push_back({net, column_of(made, from), column_of(made, to)});
    return;
  }
  if (from == kBorder) nets.entered.emplace(net, column_of(made, to));
  if (to == kBorder) nets.left.emplace(net, column_of(made, from));
  inner[column_of(made, from == kBorder ? to : from)].push_back(segment);
}

size_t end_of_column(const UnitRows& rows, const std::vector<size_t>& starts, size_t column) {
  return column + 1 < starts.size() ? starts[column + 1] : rows.size();
}

void arrange_column(const UnitRows& rows, const std::vector<UnitSize>& sizes, size_t column,
                    const std::vector<size_t>& starts, std::vector<EdgeSegment>& segments,
                    Columns& made) {
  const auto key = [](const EdgeSegment& each) { return std::tuple(each.net, each.from, each.to); };
  sort(segments, [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  segments.erase(std::unique(segments.begin(), segments.end(), same), segments.end());
  const UnitRows in_column(
      rows.begin() + static_cast<std::ptrdiff_t>(starts[column]),
      rows.begin() + static_cast<std::ptrdiff_t>(end_of_column(rows, starts, column)));
  made.columns.push_back({arrange(in_column, sizes, segments)});
}

// A net that enters several columns is led from the first of them to the others.
void find_entries(const ColumnNets& nets, Columns& made) {
  for (auto at = nets.entered.begin(); at != nets.entered.end();) {
    const auto first = at;
    for (++at; at != nets.entered.end() && at->first == first->first; ++at)
      made.connectors.push_back({first->first, first->second, at->second, true});
  }
  const auto key = [](const Connector& each) {
    return std::tuple(each.net, each.from, each.to, each.enters);
  };
  sort(made.connectors, [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  made.connectors.erase(std::unique(made.connectors.begin(), made.connectors.end(), same),
                        made.connectors.end());
}

// The first column counts.
void set_port(const Column& column, uint32_t net, bool enters, Ports& ports) {
  const Ports& inner = enters ? column.arrangement.entries : column.arrangement.exits;
  ports.emplace(net, column.left + inner.at(net));
}

void place_connectors(Columns& made) {
  std::vector<double> used(made.columns.size(), 0);
  double bottom = 0;
  double top = kLineRoom;
  double below = 0;
  for (Connector& each : made.connectors) {
    each.top = top;
    top += kConnectorPitch;
    if (each.enters) continue;
    each.gutter = made.columns[each.to].left - kColumnGap / 2 - kConnectorPitch * used[each.to]++;
    double end = 0;
    for (uint32_t at = each.from; at < each.to; ++at)
      end = std::max(end, made.columns[at].top + made.columns[at].arrangement.height);
    each.bottom = end + kLineRoom + kConnectorPitch * below++;
    bottom = std::max(bottom, each.bottom + kLineRoom);
  }
  made.height = std::max(made.height, bottom);
}

void place_columns(const ColumnNets& nets, Columns& made) {
  const auto lines = static_cast<double>(made.connectors.size());
  const double top = lines == 0 ? 0 : 2 * kLineRoom + kConnectorPitch * (lines - 1);
  std::vector<double> entering(made.columns.size(), 0);
  for (const Connector& each : made.connectors) ++entering[each.to];
  double x = 0;
  for (size_t at = 0; at < made.columns.size(); ++at) {
    Column& column = made.columns[at];
    if (at > 0) x += kColumnGap + kConnectorPitch * entering[at];
    column.left = x;
    column.top = top;
    x += column.arrangement.width;
    made.height = std::max(made.height, top + column.arrangement.height);
  }
  made.width = x;
  place_connectors(made);
  for (const auto& [net, at] : nets.left) set_port(made.columns[at], net, false, made.exits);
  for (const auto& [net, at] : nets.entered) set_port(made.columns[at], net, true, made.entries);
}

// The nets that pass from the rows above each row to it or to rows below.
std::vector<uint32_t> passing_nets(const UnitRows& rows, const std::vector<EdgeSegment>& segments,
                                   const std::vector<size_t>& row_of) {
  std::vector<uint32_t> passing(rows.size() + 1, 0);
  for (const EdgeSegment& segment : segments) {
    if (segment.from == kBorder || segment.to == kBorder) continue;
    ++passing[row_of[segment.from] + 1];
    --passing[row_of[segment.to] + 1];
  }
  for (size_t row = 1; row < passing.size(); ++row) passing[row] += passing[row - 1];
  return passing;
}

// Divides the rows into columns of about one height, where few nets pass. Returns the first row of
// each.
std::vector<size_t> divide_rows(const UnitRows& rows, const std::vector<UnitSize>& sizes,
                                const std::vector<EdgeSegment>& segments, size_t count) {
  std::vector<size_t> row_of(sizes.size(), 0);
  for (size_t row = 0; row < rows.size(); ++row) {
    for (const uint32_t unit : rows[row]) row_of[unit] = row;
  }
  std::vector<double> until = {0};
  for (const auto& row : rows) until.push_back(until.back() + row_height(row, sizes));
  const std::vector<uint32_t> passing = passing_nets(rows, segments, row_of);
  std::vector<size_t> starts = {0};
  for (size_t column = 1; column < count; ++column) {
    const double start = until[starts.back()];
    const double wanted = (until.back() - start) / static_cast<double>(count - column + 1);
    size_t best = 0;
    double least = 0;
    for (size_t row = starts.back() + 1; row < rows.size(); ++row) {
      const double miss = std::abs(until[row] - start - wanted) / wanted;
      const double cost = miss + 0.1 * static_cast<double>(passing[row]);
      if (best != 0 && cost >= least) continue;
      best = row;
      least = cost;
    }
    if (best == 0) break;
    starts.push_back(best);
  }
  return starts;
}

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
  const std::vector<size_t> starts = divide_rows(rows, sizes, segments, count);
  Columns made;
  made.column_of.assign(sizes.size(), kBorder);
  for (size_t column = 0; column < starts.size(); ++column) {
    for (size_t row = starts[column]; row < end_of_column(rows, starts, column); ++row) {
      for (const uint32_t unit : rows[row]) made.column_of[unit] = static_cast<uint32_t>(column);
    }
  }
  ColumnNets nets;
  std::vector<std::vector<EdgeSegment>> inner(starts.size());
  for (const EdgeSegment& segment : segments) add_column_segment(segment, inner, nets, made);
  for (size_t column = 0; column < starts.size(); ++column)
    arrange_column(rows, sizes, column, starts, inner[column], made);
  find_entries(nets, made);
  place_columns(nets, made);
  return made;
}

}  // namespace cryo
