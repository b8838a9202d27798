#pragma once

#include <cstdint>
#include <vector>

namespace cryo {

// An edge between two of a level's units, by their places.
struct LevelEdge {
  uint32_t from = 0;
  uint32_t to = 0;
};

// For each unit a number that units share if ways lead from each to the other (Tarjan's algorithm,
// without recursion).
std::vector<uint32_t> cycles_of(uint32_t count, const std::vector<LevelEdge>& edges);

}  // namespace cryo
