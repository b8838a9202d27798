#pragma once

#include <vector>

#include "picture/place/arrangement.h"

namespace cryo {

// Rows of a column, placed.
struct Column {
  Arrangement arrangement = {};
  double left = 0;
  double top = 0;
};

// The way of a net between columns: from the end of its column down to `bottom`, right to `gutter`,
// up to `top`, and right to where it enters the other column. A net that enters the group has it
// from the column that it enters first; it has no bottom and no gutter.
struct Connector {
  uint32_t net = 0;
  uint32_t from = 0;  // columns
  uint32_t to = 0;
  bool enters = false;
  double bottom = 0;
  double gutter = 0;
  double top = 0;
};

// The rows of a connected part as columns side by side, read like text:
//
//     a          a    .-> c
//     b    --->  b    |   d
//     c          '----'
//     d
struct Columns {
  double width = 0;
  double height = 0;
  std::vector<Column> columns = {};
  std::vector<Connector> connectors = {};
  std::vector<uint32_t> column_of = {};  // by unit; kBorder: of another part
  Ports entries = {};                    // of the nets that cross the group's border, from the left
  Ports exits = {};
};

// The largest number of columns, and the room that a part may take.
struct ColumnRoom {
  double height = 0;  // a higher part is wrapped
  double aspect = 1;  // width to height of the pane
};

// Numbers of columns to choose from: one if the part is not higher than the room, else about as
// many as give it the pane's proportions.
std::vector<size_t> column_counts(const UnitRows& rows, const std::vector<UnitSize>& sizes,
                                  const ColumnRoom& room);

// REQUIRES: as arrange(); 1 <= count <= rows, if there are rows.
Columns arrange_columns(const UnitRows& rows, const std::vector<UnitSize>& sizes,
                        const std::vector<EdgeSegment>& segments, size_t count);

}  // namespace cryo
