#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "graph/edges.h"
#include "graph/graph.h"
#include "passes/common/conversion.h"
#include "passes/common/freeze_record.h"
#include "passes/common/weight_selection.h"
#include "passes/weights/weight_uses.h"

namespace cryo {

// A constant that is a weight, and why.
struct Weight {
  uint32_t node = kNoNode;
  std::string why = {};
  bool trainable = true;  // false: statistics (a mean, a variance), and what is no float
  std::string_view confidence = kHigh;
  std::optional<FreezeRecord> record = {};

  // Certain: freezing left a record, or it was requested. High: it is used where only weights are,
  // it is read as a variable, it is named as a weight, or its arithmetic is a layer's
  // (layer_operands.h). Fair: arithmetic, a lookup or a literal; constants of the model are used so
  // too (anchors, an image's mean, a quantization range).
  static constexpr std::string_view kCertain = "certain", kHigh = "high", kFair = "fair";
};

// Finds the constants of a graph that were variables once, or should be: kernels, biases, tables to
// look up in, operands of a layer, and what is read under a variable's read name ("w/read"),
// directly or through nodes that only hand on or reshape. Shapes, axes, paddings and scalars of
// arithmetic are not weights. Where freezing left records, the other constants are not weights.
//
// `selection` chooses by hand.
std::vector<Weight> find_weights(const Graph& graph, const WeightSelection& selection);

// The same of the nodes of a graph or of a function's body (function_body.h).
std::vector<Weight> find_weights(const std::vector<Node>& nodes, const Edges& edges,
                                 WeightUses& uses, const WeightSelection& selection);

// The variables of a graph without records of training that gradients change: floats that are used
// as weights are, and others that are not called statistics.
std::set<uint32_t> trainable_by_use(const std::vector<Node>& nodes, const Edges& edges,
                                    WeightUses& uses);

// Returns true if the selection leaves anything to detection.
bool detects_weights(const WeightSelection& selection);

// Removes the fair ones and returns them: what un-freezing reports and does not take.
std::vector<Weight> take_out_fair(std::vector<Weight>& weights);

// Adds the fair weights to `candidates`. Reports them and the names of such constants in bodies,
// with the option that takes them.
void report_fair(const std::vector<Node>& nodes, const std::vector<Weight>& fair,
                 const std::vector<std::string>& in_bodies, Conversions& candidates,
                 Diagnostics& diagnostics);

// Returns true if freezing left records on constants.
bool has_records(const std::vector<Node>& nodes);

// Adds to `announced` what a weight takes. "too-large" for more than a graph can spell out: a short
// file can announce any number of bytes (a shape and one value), which would be read for checksums
// and written.
Status announce_weight(const Node& node, uint64_t bytes, uint64_t& announced);

}  // namespace cryo
