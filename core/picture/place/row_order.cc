#include "picture/place/row_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/sort.h"

namespace cryo {
namespace {

constexpr int kOrderSweeps = 10;

// Rows of units and of the places where longer edges pass.
class RowOrder {
 public:
  RowOrder(const UnitRows& rows, const std::vector<LevelEdge>& edges,
           const std::vector<uint32_t>& row_of)
      : unit_count_(row_of.size()), up_(row_of.size()), down_(row_of.size()), rows_(rows.size()) {
    for (const LevelEdge& edge : edges) {
      uint32_t last = edge.from;
      for (uint32_t row = row_of[edge.from] + 1; row < row_of[edge.to]; ++row) {
        const auto passing = static_cast<uint32_t>(up_.size());
        up_.emplace_back();
        down_.emplace_back();
        row_of_passing_.push_back(row);
        link(last, passing);
        last = passing;
      }
      link(last, edge.to);
    }
    place_first(rows, row_of);
  }

  UnitRows best() {
    uint64_t fewest = crossings();
    auto best = rows_;
    for (int sweep = 0; sweep < kOrderSweeps && fewest > 0; ++sweep) {
      if (sweep % 2 == 0) {
        for (size_t row = 1; row < rows_.size(); ++row) sort_row(row, up_);
      } else {
        for (size_t row = rows_.size() - 1; row-- > 0;) sort_row(row, down_);
      }
      const uint64_t count = crossings();
      if (count >= fewest) continue;
      fewest = count;
      best = rows_;
    }
    for (auto& row : best) {
      row.erase(std::remove_if(row.begin(), row.end(),
                               [&](uint32_t vertex) { return vertex >= unit_count_; }),
                row.end());
    }
    return best;
  }

 private:
  using Neighbors = std::vector<std::vector<uint32_t>>;

  void link(uint32_t upper, uint32_t lower) {
    down_[upper].push_back(lower);
    up_[lower].push_back(upper);
  }

  // Depth first, so that a chain is below what it follows.
  void place_first(const UnitRows& rows, const std::vector<uint32_t>& row_of) {
    std::vector<bool> placed(up_.size(), false);
    places_.assign(up_.size(), 0);
    std::vector<uint32_t> open;
    for (const auto& row : rows) {
      for (const uint32_t start : row) {
        open.push_back(start);
        while (!open.empty()) {
          const uint32_t vertex = open.back();
          open.pop_back();
          if (placed[vertex]) continue;
          placed[vertex] = true;
          const size_t at =
              vertex < unit_count_ ? row_of[vertex] : row_of_passing_[vertex - unit_count_];
          places_[vertex] = static_cast<double>(rows_[at].size());
          rows_[at].push_back(vertex);
          open.insert(open.end(), down_[vertex].rbegin(), down_[vertex].rend());
        }
      }
    }
  }

  void sort_row(size_t row, const Neighbors& neighbors) {
    std::vector<std::pair<double, uint32_t>> keys;
    for (const uint32_t vertex : rows_[row]) {
      double sum = 0;
      for (const uint32_t each : neighbors[vertex]) sum += places_[each];
      const auto count = static_cast<double>(neighbors[vertex].size());
      keys.emplace_back(count == 0 ? places_[vertex] : sum / count, vertex);
    }
    sort(keys, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t at = 0; at < keys.size(); ++at) {
      rows_[row][at] = keys[at].second;
      places_[keys[at].second] = static_cast<double>(at);
    }
  }

  // Pairs of edges between neighboring rows in opposite orders, counted in a tree of sums.
  uint64_t crossings() {
    for (const auto& row : rows_) {
      for (size_t at = 0; at < row.size(); ++at) places_[row[at]] = static_cast<double>(at);
    }
    uint64_t count = 0;
    for (size_t row = 0; row + 1 < rows_.size(); ++row) {
      std::vector<uint32_t> sums(rows_[row + 1].size() + 1, 0);
      uint32_t all = 0;
      for (const uint32_t vertex : rows_[row]) {
        std::vector<size_t> ends;
        for (const uint32_t each : down_[vertex])
          ends.push_back(static_cast<size_t>(places_[each]));
        for (const size_t end : ends) {
          uint32_t before = 0;
          for (size_t at = end + 1; at > 0; at &= at - 1) before += sums[at];
          count += all - before;
        }
        for (const size_t end : ends) {
          for (size_t at = end + 1; at < sums.size(); at += at & (~at + 1)) ++sums[at];
          ++all;
        }
      }
    }
    return count;
  }

  size_t unit_count_;
  Neighbors up_;
  Neighbors down_;
  std::vector<uint32_t> row_of_passing_;
  UnitRows rows_;
  std::vector<double> places_;
};

}  // namespace

void order_rows(UnitRows& rows, const std::vector<LevelEdge>& edges,
                const std::vector<uint32_t>& row_of) {
  if (rows.size() > 1 && !edges.empty()) rows = RowOrder(rows, edges, row_of).best();
}

}  // namespace cryo
