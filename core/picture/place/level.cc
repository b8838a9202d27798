#include "picture/place/level.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/sort.h"
#include "picture/place/cycles.h"
#include "picture/place/row_order.h"

namespace cryo {
namespace {

using UnitLists = std::vector<std::vector<uint32_t>>;

bool is_unit_aside(const GroupTree& tree, const std::vector<uint32_t>& units, uint32_t unit) {
  return tree.is_aside(units[unit]);
}

// Marks edges of what is at the side as stubs: it is not arranged with the rest.
void mark_asides(const GroupTree& tree, const std::vector<uint32_t>& units,
                 const std::vector<LevelEdge>& all_edges, Level& level) {
  for (size_t i = 0; i < all_edges.size(); ++i) {
    if (is_unit_aside(tree, units, all_edges[i].from) ||
        is_unit_aside(tree, units, all_edges[i].to))
      level.courses[i] = EdgeCourse::kStub;
  }
}

bool is_down(const Level& level, size_t edge) { return level.courses[edge] == EdgeCourse::kDown; }

// Within a cycle, edges against the data-flow order of the graph lead back.
void mark_back_edges(uint32_t count, const std::vector<LevelEdge>& all_edges, Level& level) {
  std::vector<LevelEdge> arranged;
  for (size_t i = 0; i < all_edges.size(); ++i) {
    if (is_down(level, i)) arranged.push_back(all_edges[i]);
  }
  const std::vector<uint32_t> cycle = cycles_of(count, arranged);
  for (size_t i = 0; i < all_edges.size(); ++i) {
    const auto [from, to] = all_edges[i];
    if (is_down(level, i) && cycle[from] == cycle[to] && from >= to)
      level.courses[i] = EdgeCourse::kBack;
  }
}

// Finds the longest way to each unit. Returns the units that follow each one; `order`: each unit
// after those that it follows.
UnitLists find_rows(uint32_t count, const std::vector<LevelEdge>& all_edges,
                    std::vector<uint32_t>& order, Level& level) {
  UnitLists next(count);
  std::vector<uint32_t> waits_for(count, 0);
  for (size_t i = 0; i < all_edges.size(); ++i) {
    if (!is_down(level, i)) continue;
    next[all_edges[i].from].push_back(all_edges[i].to);
    ++waits_for[all_edges[i].to];
  }
  for (uint32_t unit = 0; unit < count; ++unit) {
    if (waits_for[unit] == 0) order.push_back(unit);
  }
  for (size_t at = 0; at < order.size(); ++at) {
    for (const uint32_t to : next[order[at]]) {
      level.row_of[to] = std::max(level.row_of[to], level.row_of[order[at]] + 1);
      if (--waits_for[to] == 0) order.push_back(to);
    }
  }
  return next;
}

// Moves units that have more consumers than producers down to their consumers.
void tighten(const UnitLists& followers, const std::vector<uint32_t>& order, Level& level) {
  std::vector<uint32_t> producers(followers.size(), 0);
  for (const auto& next : followers) {
    for (const uint32_t to : next) ++producers[to];
  }
  for (size_t at = order.size(); at-- > 0;) {
    const uint32_t unit = order[at];
    if (followers[unit].size() <= producers[unit]) continue;
    uint32_t lowest = kNoUnit;
    for (const uint32_t to : followers[unit]) lowest = std::min(lowest, level.row_of[to] - 1);
    level.row_of[unit] = std::max(level.row_of[unit], lowest);
  }
}

void mark_stubs(uint32_t count, const std::vector<LevelEdge>& all_edges, Level& level) {
  std::vector<uint32_t> consumers(count, 0);
  std::vector<uint32_t> producers(count, 0);
  for (const LevelEdge& edge : all_edges) {
    ++consumers[edge.from];
    ++producers[edge.to];
  }
  for (size_t i = 0; i < all_edges.size(); ++i) {
    if (!is_down(level, i)) continue;
    const auto [from, to] = all_edges[i];
    const uint32_t rows = level.row_of[to] - level.row_of[from];
    const bool many = consumers[from] > kMaxNetConsumers || producers[to] > kMaxProducers;
    if (rows > kLongestEdge || (many && rows > 1)) level.courses[i] = EdgeCourse::kStub;
  }
}

uint32_t root_of(uint32_t unit, std::vector<uint32_t>& joined) {
  while (joined[unit] != unit) unit = joined[unit] = joined[joined[unit]];
  return unit;
}

std::vector<bool> marks_of(uint32_t count, const std::vector<uint32_t>& units) {
  std::vector<bool> marks(count, false);
  for (const uint32_t unit : units) marks[unit] = true;
  return marks;
}

// Rows of too many units become several, of about one length.
void break_rows(UnitRows& rows, Level& level) {
  UnitRows broken;
  for (const std::vector<uint32_t>& row : rows) {
    const size_t pieces = std::max<size_t>((row.size() + kMaxInRow - 1) / kMaxInRow, 1);
    for (size_t piece = 0; piece < pieces; ++piece) {
      const auto begin = static_cast<std::ptrdiff_t>(row.size() * piece / pieces);
      const auto end = static_cast<std::ptrdiff_t>(row.size() * (piece + 1) / pieces);
      broken.emplace_back(row.begin() + begin, row.begin() + end);
      for (const uint32_t unit : broken.back())
        level.row_of[unit] = static_cast<uint32_t>(broken.size() - 1);
    }
  }
  rows = std::move(broken);
}

void add_level_part(uint32_t count, const std::vector<LevelEdge>& all_edges,
                    const std::vector<uint32_t>& units, Level& level) {
  uint32_t first = kNoUnit;
  for (const uint32_t unit : units) first = std::min(first, level.row_of[unit]);
  UnitRows rows;
  for (const uint32_t unit : units) {
    const uint32_t row = level.row_of[unit] -= first;
    if (rows.size() <= row) rows.resize(row + 1);
    rows[row].push_back(unit);
  }
  std::vector<LevelEdge> edges;
  const std::vector<bool> within = marks_of(count, units);
  for (size_t i = 0; i < all_edges.size(); ++i) {
    if (is_down(level, i) && within[all_edges[i].from]) edges.push_back(all_edges[i]);
  }
  order_rows(rows, edges, level.row_of);
  break_rows(rows, level);
  level.parts.push_back(std::move(rows));
}

// Parts without an edge between them. Those that an edge enters or leaves are one part, so that
// no edge has to pass another part.
void divide_parts(const GroupTree& tree, const std::vector<uint32_t>& units, uint32_t count,
                  const std::vector<LevelEdge>& all_edges, Level& level) {
  std::vector<uint32_t> joined(count + 1);
  std::iota(joined.begin(), joined.end(), 0);
  const uint32_t border = count;
  for (size_t i = 0; i < all_edges.size(); ++i) {
    if (is_down(level, i))
      joined[root_of(all_edges[i].from, joined)] = root_of(all_edges[i].to, joined);
  }
  for (uint32_t unit = 0; unit < count; ++unit) {
    if (tree.is_border(units[unit])) joined[root_of(unit, joined)] = root_of(border, joined);
  }
  std::vector<uint32_t> part_of_root(count + 1, kNoUnit);
  std::vector<std::vector<uint32_t>> parts(1);
  part_of_root[root_of(border, joined)] = 0;
  for (uint32_t unit = 0; unit < count; ++unit) {
    uint32_t& part = part_of_root[root_of(unit, joined)];
    if (part == kNoUnit) {
      part = static_cast<uint32_t>(parts.size());
      parts.emplace_back();
    }
    parts[part].push_back(unit);
  }
  for (const std::vector<uint32_t>& part : parts) add_level_part(count, all_edges, part, level);
}

}  // namespace

Level level_of(const GroupTree& tree, uint32_t group) {
  const std::vector<uint32_t>& units = tree.units(group);
  const auto count = static_cast<uint32_t>(units.size());
  const UnitPlaces places(units);
  std::vector<LevelEdge> edges;
  for (const UnitEdge& edge : tree.edges(group)) {
    edges.push_back({places.of(edge.from), places.of(edge.to)});
  }
  Level level;
  level.courses.assign(edges.size(), EdgeCourse::kDown);
  level.row_of.assign(count, 0);
  mark_asides(tree, units, edges, level);
  mark_back_edges(count, edges, level);
  std::vector<uint32_t> order;
  const UnitLists followers = find_rows(count, edges, order, level);
  tighten(followers, order, level);
  mark_stubs(count, edges, level);
  divide_parts(tree, units, count, edges, level);
  return level;
}

UnitPlaces::UnitPlaces(const std::vector<uint32_t>& units) {
  for (uint32_t at = 0; at < units.size(); ++at) sorted_.emplace_back(units[at], at);
  sort(sorted_);
}

uint32_t UnitPlaces::of(uint32_t unit) const {
  return std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(unit, 0U))->second;
}

}  // namespace cryo
