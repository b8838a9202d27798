#include "picture/place/level.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/sort.h"
#include "picture/place/cycles.h"
#include "picture/place/row_order.h"

namespace cryo {
namespace {

// Makes the rows of one group.
class LevelMaker {
 public:
  LevelMaker(const GroupTree& tree, uint32_t group)
      : tree_(tree), units_(tree.units(group)), count_(static_cast<uint32_t>(units_.size())) {
    const UnitPlaces places(units_);
    for (const UnitEdge& edge : tree.edges(group))
      edges_.push_back({places.of(edge.from), places.of(edge.to)});
    level_.courses.assign(edges_.size(), EdgeCourse::kDown);
    level_.row_of.assign(count_, 0);
  }

  Level make() {
    mark_asides();
    mark_back_edges();
    find_rows();
    tighten();
    mark_stubs();
    divide();
    return std::move(level_);
  }

 private:
  bool is_down(size_t edge) const { return level_.courses[edge] == EdgeCourse::kDown; }

  bool is_aside(uint32_t unit) const { return tree_.is_aside(units_[unit]); }

  // Marks edges of what is at the side as stubs: it is not arranged with the rest.
  void mark_asides() {
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (is_aside(edges_[i].from) || is_aside(edges_[i].to)) level_.courses[i] = EdgeCourse::kStub;
    }
  }

  // Within a cycle, edges against the data-flow order of the graph lead back.
  void mark_back_edges() {
    std::vector<LevelEdge> arranged;
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (is_down(i)) arranged.push_back(edges_[i]);
    }
    const std::vector<uint32_t> cycle = cycles_of(count_, arranged);
    for (size_t i = 0; i < edges_.size(); ++i) {
      const auto [from, to] = edges_[i];
      if (is_down(i) && cycle[from] == cycle[to] && from >= to)
        level_.courses[i] = EdgeCourse::kBack;
    }
  }

  // The longest way to each unit.
  void find_rows() {
    std::vector<std::vector<uint32_t>> next(count_);
    std::vector<uint32_t> waits_for(count_, 0);
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (!is_down(i)) continue;
      next[edges_[i].from].push_back(edges_[i].to);
      ++waits_for[edges_[i].to];
    }
    for (uint32_t unit = 0; unit < count_; ++unit) {
      if (waits_for[unit] == 0) order_.push_back(unit);
    }
    for (size_t at = 0; at < order_.size(); ++at) {
      for (const uint32_t to : next[order_[at]]) {
        level_.row_of[to] = std::max(level_.row_of[to], level_.row_of[order_[at]] + 1);
        if (--waits_for[to] == 0) order_.push_back(to);
      }
    }
    next_ = std::move(next);
  }

  // Moves units that have more consumers than producers down to their consumers.
  void tighten() {
    std::vector<uint32_t> producers(count_, 0);
    for (const auto& next : next_) {
      for (const uint32_t to : next) ++producers[to];
    }
    for (size_t at = order_.size(); at-- > 0;) {
      const uint32_t unit = order_[at];
      if (next_[unit].size() <= producers[unit]) continue;
      uint32_t lowest = kNoUnit;
      for (const uint32_t to : next_[unit]) lowest = std::min(lowest, level_.row_of[to] - 1);
      level_.row_of[unit] = std::max(level_.row_of[unit], lowest);
    }
  }

  void mark_stubs() {
    std::vector<uint32_t> consumers(count_, 0);
    std::vector<uint32_t> producers(count_, 0);
    for (const LevelEdge& edge : edges_) {
      ++consumers[edge.from];
      ++producers[edge.to];
    }
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (!is_down(i)) continue;
      const auto [from, to] = edges_[i];
      const uint32_t rows = level_.row_of[to] - level_.row_of[from];
      const bool many = consumers[from] > kMaxNetConsumers || producers[to] > kMaxProducers;
      if (rows > kLongestEdge || (many && rows > 1)) level_.courses[i] = EdgeCourse::kStub;
    }
  }

  uint32_t root_of(uint32_t unit) {
    while (joined_[unit] != unit) unit = joined_[unit] = joined_[joined_[unit]];
    return unit;
  }

  // Parts without an edge between them. Those that an edge enters or leaves are one part, so that
  // no edge has to pass another part.
  void divide() {
    joined_.resize(count_ + 1);
    std::iota(joined_.begin(), joined_.end(), 0);
    const uint32_t border = count_;
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (is_down(i)) joined_[root_of(edges_[i].from)] = root_of(edges_[i].to);
    }
    for (uint32_t unit = 0; unit < count_; ++unit) {
      if (tree_.is_border(units_[unit])) joined_[root_of(unit)] = root_of(border);
    }
    std::vector<uint32_t> part_of_root(count_ + 1, kNoUnit);
    std::vector<std::vector<uint32_t>> parts(1);
    part_of_root[root_of(border)] = 0;
    for (uint32_t unit = 0; unit < count_; ++unit) {
      uint32_t& part = part_of_root[root_of(unit)];
      if (part == kNoUnit) {
        part = static_cast<uint32_t>(parts.size());
        parts.emplace_back();
      }
      parts[part].push_back(unit);
    }
    for (const std::vector<uint32_t>& part : parts) add_part(part);
  }

  void add_part(const std::vector<uint32_t>& units) {
    uint32_t first = kNoUnit;
    for (const uint32_t unit : units) first = std::min(first, level_.row_of[unit]);
    UnitRows rows;
    for (const uint32_t unit : units) {
      const uint32_t row = level_.row_of[unit] -= first;
      if (rows.size() <= row) rows.resize(row + 1);
      rows[row].push_back(unit);
    }
    std::vector<LevelEdge> edges;
    const std::vector<bool> within = marks(units);
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (is_down(i) && within[edges_[i].from]) edges.push_back(edges_[i]);
    }
    order_rows(rows, edges, level_.row_of);
    break_rows(rows);
    level_.parts.push_back(std::move(rows));
  }

  std::vector<bool> marks(const std::vector<uint32_t>& units) const {
    std::vector<bool> marks(count_, false);
    for (const uint32_t unit : units) marks[unit] = true;
    return marks;
  }

  // Rows of too many units become several, of about one length.
  void break_rows(UnitRows& rows) {
    UnitRows broken;
    for (const std::vector<uint32_t>& row : rows) {
      const size_t pieces = std::max<size_t>((row.size() + kMaxInRow - 1) / kMaxInRow, 1);
      for (size_t piece = 0; piece < pieces; ++piece) {
        const auto begin = static_cast<std::ptrdiff_t>(row.size() * piece / pieces);
        const auto end = static_cast<std::ptrdiff_t>(row.size() * (piece + 1) / pieces);
        broken.emplace_back(row.begin() + begin, row.begin() + end);
        for (const uint32_t unit : broken.back())
          level_.row_of[unit] = static_cast<uint32_t>(broken.size() - 1);
      }
    }
    rows = std::move(broken);
  }

  const GroupTree& tree_;
  const std::vector<uint32_t>& units_;
  uint32_t count_;
  std::vector<LevelEdge> edges_;
  std::vector<std::vector<uint32_t>> next_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> joined_;
  Level level_;
};

}  // namespace

Level level_of(const GroupTree& tree, uint32_t group) { return LevelMaker(tree, group).make(); }

UnitPlaces::UnitPlaces(const std::vector<uint32_t>& units) {
  for (uint32_t at = 0; at < units.size(); ++at) sorted_.emplace_back(units[at], at);
  sort(sorted_);
}

uint32_t UnitPlaces::of(uint32_t unit) const {
  return std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(unit, 0U))->second;
}

}  // namespace cryo
