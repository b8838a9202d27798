#include "base/sort.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace cryo {
namespace {

// Returns for each position of the sorted order the index of the element that belongs there.
std::vector<size_t> sorted_order(size_t count, const Sortable& sortable) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sortable.before(sortable.things, a, b); });
  return order;
}

}  // namespace

// The elements are moved last, one cycle of the permutation after the other.
void sort(size_t count, const Sortable& sortable) {
  if (count < 2) return;
  std::vector<size_t> order = sorted_order(count, sortable);
  for (size_t first = 0; first < count; ++first) {
    size_t at = first;
    while (order[at] != first) {
      const size_t from = std::exchange(order[at], at);
      sortable.swap(sortable.things, at, from);
      at = from;
    }
    order[at] = at;
  }
}

}  // namespace cryo
