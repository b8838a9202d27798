#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compat/verdict.h"
#include "graph/graph.h"

namespace cryo {

// Tensors at which a part of a graph begins and ends.
struct CutPoints {
  std::vector<std::string> inputs = {};   // each becomes a placeholder
  std::vector<std::string> outputs = {};  // empty: those of the graph

  // "freeze with --inputs Mfcc and --outputs logits"
  std::string fix() const;
};

// Returns the ends of the part of a frozen graph that does without the nodes for whose blockers
// `verdict` has no fix, if this part has at least half of the graph's weights:
//
//     wav --> DecodeWav --> Mfcc --> conv --> logits --> NonMaxSuppressionV5 --> boxes
//             blocker       blocker                      blocker
//
//     inputs: Mfcc      outputs: logits
//
// A blocker before which there is less than half of the weights is cut off with what it reads, the
// others with what reads them. An end is a plain value outside of loops and branches: so these are
// cut off as a whole, and a data set with the nodes that read it.
//
// `outputs`: of the graph, by name. Returns nullopt if there is no such part, or if it has more
// than kMaxEnds inputs or outputs.
std::optional<CutPoints> find_cut_points(const Graph& graph, const TargetVerdict& verdict,
                                         const std::vector<std::string>& outputs,
                                         const OpRegistry& ops);

// More cannot be given by hand.
constexpr size_t kMaxEnds = 32;

}  // namespace cryo
