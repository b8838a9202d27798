#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "picture/place/level.h"

namespace cryo {

constexpr uint32_t kBorder = 0xFFFFFFFF;

// Offsets from an open unit's center at which nets enter or leave it; 0 for other units.
using Ports = std::map<uint32_t, double>;  // by net

// A unit while it is arranged.
struct UnitSize {
  double w = 0;
  double h = 0;  // with the room for stubs
  bool is_open = false;
  const Ports* entries = nullptr;
  const Ports* exits = nullptr;
};

// The part of an edge within one group: the source is a unit, or above the group's border; the
// target is a unit, or below the border.
struct EdgeSegment {
  uint32_t net = 0;         // the box that all edges of a net leave
  uint32_t from = kBorder;  // places of units; kBorder
  uint32_t to = kBorder;
};

// The way of a net through the rows: from row `first` on the place of its line in each row, and
// below each row the height at which it turns.
struct EdgeRoute {
  struct Sink {
    uint32_t unit = kBorder;
    size_t row = 0;
    double x = 0;
  };
  uint32_t net = 0;
  size_t first = 0;
  std::vector<double> xs = {};
  std::vector<double> turns = {};
  std::vector<Sink> sinks = {};
};

// Units of a connected part, placed.
struct Arrangement {
  double width = 0;
  double height = 0;
  std::vector<std::pair<uint32_t, std::pair<double, double>>> places = {};  // left, top by unit
  std::vector<EdgeRoute> routes = {};                                       // by net
  Ports entries = {};  // of the nets that cross the border, from the left
  Ports exits = {};
};

// REQUIRES: hops are in order of nets; those of a net have one origin.
Arrangement arrange(const UnitRows& rows, const std::vector<UnitSize>& extents,
                    const std::vector<EdgeSegment>& segments);

}  // namespace cryo
