#pragma once

#include <cstdint>
#include <vector>

#include "picture/groups/group_tree.h"

namespace cryo {

// An edge over more rows is drawn as a stub. So are edges to other than the next row from a unit
// with more consumers, or to one with more producers.
constexpr uint32_t kLongestEdge = 6;
constexpr uint32_t kMaxNetConsumers = 12;
constexpr uint32_t kMaxProducers = 24;

// A row of more units is broken into several.
constexpr size_t kMaxInRow = 5;

enum class EdgeCourse : uint8_t { kDown, kBack, kStub };

// Rows from top to bottom, each with its units from left to right.
using UnitRows = std::vector<std::vector<uint32_t>>;

// The units of a group in rows, which do not depend on what is open. Units are named by their
// places in the group's list.
struct Level {
  std::vector<UnitRows> parts = {};      // connected parts; all with borders are in the first
  std::vector<uint32_t> row_of = {};     // by unit, within its part
  std::vector<EdgeCourse> courses = {};  // by edge of the group
};
Level level_of(const GroupTree& tree, uint32_t group);

// The places of a group's units, by unit.
class UnitPlaces {
 public:
  explicit UnitPlaces(const std::vector<uint32_t>& units);
  uint32_t of(uint32_t unit) const;  // REQUIRES: a unit of the group

 private:
  std::vector<std::pair<uint32_t, uint32_t>> sorted_;
};

}  // namespace cryo
