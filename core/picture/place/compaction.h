#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cryo {

// A thing in a row: a unit, or the line of a net that passes.
struct RowItem {
  double width = 0;  // 0: a line
  double x = 0;      // its center
  struct Link {
    uint32_t item = 0;  // in a neighboring row
    double offset = 0;  // x of this item, were the link straight, minus x of that one
    double weight = 1;
  };
  std::vector<Link> up = {};
  std::vector<Link> down = {};
};
using RowItems = std::vector<std::vector<uint32_t>>;

// Sets the items' centers: links as straight as can be, items in order and apart. Sweeps over the
// rows, each time solving one row exactly (isotonic regression by pooling adjacent violators).
void compact(const RowItems& rows, std::vector<RowItem>& items);

}  // namespace cryo
