#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/edges.h"
#include "graph/graph.h"
#include "passes/freeze_record.h"
#include "passes/pass.h"
#include "passes/weight_uses.h"

namespace cryo {

// A constant that is a weight, and why.
struct Weight {
  uint32_t node = kNoNode;
  std::string why = {};
  bool trainable = true;  // false: statistics (a mean, a variance), and what is no float
  std::string_view confidence = kHigh;
  std::optional<FreezeRecord> record = {};

  // Freezing left a record, or it was asked for; it is where only weights are, or called as one; it
  // is in arithmetic, where constants of the model are too.
  static constexpr std::string_view kCertain = "certain", kHigh = "high", kFair = "fair";
};

// The constants of a graph that were variables once, or should be: what a kernel, a bias, a batch
// norm, a matmul or an embedding takes, directly or through nodes that only hand on or reshape;
// what is read under a variable's read name ("w/read"). Shapes, axes, paddings, ranges and scalars
// of arithmetic are left alone. Where freezing left records of what were variables, the others are
// constants. `constants` and `exclude` of the options choose by hand.
std::vector<Weight> find_weights(const Graph& graph, const Consumers& consumers,
                                 const PassOptions& options);

// The same of the nodes of a graph or of a function's body (function_view.h).
std::vector<Weight> find_weights(const std::vector<Node>& nodes, const Consumers& consumers,
                                 WeightUses& uses, const PassOptions& options);

// Whether freezing left records on constants.
bool has_records(const std::vector<Node>& nodes);

// Adds to `announced` what a weight takes. "too-large" for more than a graph can spell out: a short
// file can announce any number of bytes (a shape and one value), which would be read for checksums
// and written.
Status announce_weight(const Node& node, uint64_t bytes, uint64_t& announced);

}  // namespace cryo
