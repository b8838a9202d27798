#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/op_registry.h"
#include "releases/verdict.h"

namespace cryo {

// Tensors at which a part of a graph begins and ends, and the layers that it is without.
struct CutPoints {
  std::vector<std::string> inputs = {};   // each becomes a placeholder
  std::vector<std::string> outputs = {};  // empty: those of the graph
  size_t layers = 0;                      // of the whole graph; without any, its nodes
  size_t first = 0;                       // of these, those before the inputs
  size_t last = 0;                        // and those after the outputs
  bool counts_nodes = false;              // there are no layers

  // "with all 8 layers", "without the first 3 of 8 layers"
  std::string remainder() const;
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
// cut off as a whole, and a data set with the nodes that read it. An output is a tensor of which
// more than the shape is read after it.
//
// `outputs`: of the graph, by name. Returns nullopt if there is no such part, or if it has more
// than kMaxEnds inputs or outputs.
std::optional<CutPoints> find_cut_points(const Graph& graph, const TargetVerdict& verdict,
                                         const std::vector<std::string>& outputs,
                                         const OpRegistry& ops);

// More cannot be given by hand.
constexpr size_t kMaxEnds = 32;

}  // namespace cryo
