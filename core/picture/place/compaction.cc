#include "picture/place/compaction.h"

#include <algorithm>
#include <cmath>

namespace cryo {
namespace {

constexpr int kCompactionSweeps = 12;
constexpr double kUnitGap = 24;
constexpr double kLineGap = 12;
constexpr double kSmallTurn = 30;
constexpr double kRest = 0.02;  // weight of a place that no link wants to change

double distance(const RowItem& left, const RowItem& right) {
  const double gap = left.width > 0 && right.width > 0 ? kUnitGap : kLineGap;
  return (left.width + right.width) / 2 + gap;
}

// Neighbors in a row that touch each other.
struct Pool {
  double sum;
  double weight;
  size_t count;
  double mean() const { return sum / weight; }
};

void spread(const std::vector<uint32_t>& row, std::vector<RowItem>& items) {
  double x = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    if (i > 0) x += distance(items[row[i - 1]], items[row[i]]);
    items[row[i]].x = x;
  }
  for (const uint32_t item : row) items[item].x -= x / 2;
}

void place_row(const std::vector<uint32_t>& row, std::vector<RowItem>& items, bool from_above) {
  std::vector<Pool> pools;
  double offset = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const RowItem& item = items[row[i]];
    if (i > 0) offset += distance(items[row[i - 1]], item);
    double sum = kRest * item.x;
    double weight = kRest;
    for (const RowItem::Link& link : from_above ? item.up : item.down) {
      sum += link.weight * (items[link.item].x + link.offset);
      weight += link.weight;
    }
    pools.push_back({sum - weight * offset, weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().weight += last.weight;
      pools.back().count += last.count;
    }
  }
  offset = 0;
  size_t at = 0;
  for (const Pool& pool : pools) {
    for (size_t i = 0; i < pool.count; ++i, ++at) {
      if (at > 0) offset += distance(items[row[at - 1]], items[row[at]]);
      items[row[at]].x = pool.mean() + offset;
    }
  }
}

// Moves lines that turn a little above what they lead on from, where nothing is in the way.
void straighten(const std::vector<uint32_t>& row, std::vector<RowItem>& items, bool from_above) {
  for (size_t at = 0; at < row.size(); ++at) {
    RowItem& item = items[row[at]];
    const auto& links = from_above ? item.up : item.down;
    if (item.width > 0 || links.size() != 1) continue;
    const double wanted = items[links[0].item].x + links[0].offset;
    if (std::abs(wanted - item.x) > kSmallTurn) continue;
    const bool left_free =
        at == 0 || items[row[at - 1]].x + distance(items[row[at - 1]], item) <= wanted;
    const bool right_free =
        at + 1 == row.size() || wanted + distance(item, items[row[at + 1]]) <= items[row[at + 1]].x;
    if (left_free && right_free) item.x = wanted;
  }
}

}  // namespace

void compact(const RowItems& rows, std::vector<RowItem>& items) {
  for (const auto& row : rows) spread(row, items);
  for (int sweep = 0; sweep < kCompactionSweeps; ++sweep) {
    if (sweep % 2 == 0) {
      for (const auto& row : rows) place_row(row, items, true);
    } else {
      for (size_t at = rows.size(); at-- > 0;) place_row(rows[at], items, false);
    }
  }
  for (const auto& row : rows) straighten(row, items, true);
  for (size_t at = rows.size(); at-- > 0;) straighten(rows[at], items, false);
}

}  // namespace cryo
