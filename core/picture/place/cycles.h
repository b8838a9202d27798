#pragma once

#include <cstdint>
#include <vector>

namespace cryo {

// An edge between two of a level's units, by their places.
struct LevelEdge {
  uint32_t from = 0;
  uint32_t to = 0;
};

// Returns a number for each unit. Units have the same number if each can be reached from the other
// (Tarjan's algorithm, without recursion).
std::vector<uint32_t> cycles_of(uint32_t count, const std::vector<LevelEdge>& edges);

}  // namespace cryo
