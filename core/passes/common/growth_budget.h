#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "graph/graph.h"

namespace cryo {

// Bounds the bytes of nodes that inlining and lowering add to a graph. A function that calls
// another twice, and that another twice, ... and a chain of 100,000 calls, whose names grow with
// each, make gigabytes of a small file. A graph may grow by 60 times its size and 8 MB. That takes
// at most 400 times its size and 16 MB of memory, and 20 s.
class GrowthBudget {
 public:
  explicit GrowthBudget(const Graph& graph);

  // Bytes that a node takes in addition to its NodeDef: its place in lists, its name in tables.
  static constexpr uint64_t kNodeBytes = 256;

  // Bytes that a made name or tensor has behind the name that it is made of, at most.
  static constexpr uint64_t kMaxSuffix = 32;

  // REQUIRES: is called before the memory is taken. Fails with "too-large", at the node that grows.
  Status spend(uint64_t bytes, std::string_view node, uint64_t times = 1);

 private:
  uint64_t most_ = 0;
  uint64_t left_ = 0;
};

}  // namespace cryo
