#pragma once

#include <string>
#include <vector>

#include "graph/edges.h"
#include "graph/graph.h"
#include "passes/pass.h"

namespace cryo {

// A constant that is a weight, and why.
struct Weight {
  uint32_t node = kNoNode;
  std::string why = {};
  bool trainable = true;  // false: statistics (a mean, a variance), and what is no float
};

// The constants of a graph that were variables once, or should be: what a kernel, a bias, a batch
// norm, a matmul or an embedding takes, directly or through nodes that only hand on or reshape;
// what is read under a variable's read name ("w/read"). Shapes, axes, paddings, ranges and scalars
// of arithmetic are left alone. `constants` and `exclude` of the options choose by hand.
std::vector<Weight> find_weights(const Graph& graph, const Consumers& consumers,
                                 const PassOptions& options);

// Adds to `announced` what a weight takes. "too-large" for more than a graph can spell out: a short
// file can announce any number of bytes (a shape and one value), which would be read for checksums
// and written.
Status announce_weight(const Node& node, uint64_t bytes, uint64_t& announced);

}  // namespace cryo
