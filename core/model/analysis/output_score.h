#pragma once

#include <string_view>

#include "graph/analysis/inference_subgraph.h"
#include "graph/graph.h"

namespace cryo {

// How much speaks for a node as an output of the model. Only comparisons between nodes of one graph
// have a meaning.
struct OutputScore {
  int points = 0;
  std::string_view against = {};  // a reason against it, as the end of a sentence; or empty
  bool is_unlikely = false;       // listed only if there is nothing better
};

// Scores nodes of one graph by their predecessors, by op and by name. REQUIRES: both outlive it.
class OutputScorer {
 public:
  // `deepest`: the largest depth of all candidates.
  OutputScorer(const Graph& graph, const InferenceSubgraph& forward, uint32_t deepest);

  OutputScore score(uint32_t node, bool is_sink) const;

 private:
  int points_by_name(const Node& node) const;
  int points_by_place(uint32_t node, bool is_sink) const;
  int points_by_shape(const Node& node) const;
  void object(uint32_t node, OutputScore& score) const;

  const Graph& graph_;
  const InferenceSubgraph& forward_;
  uint32_t deepest_;
  bool has_batches_ = false;  // an input's first dimension is unknown
};

// Copies and reshapes that are skipped in a row. A cycle of them ends, too.
constexpr int kMaxSkipped = 8;

// Returns true if an inner node is one that people fetch: a softmax, a class, a node named as an
// output. Attention and gates have softmaxes and sigmoids too, but those are multiplied with
// something.
bool is_inner_output(const Graph& graph, const InferenceSubgraph& forward, uint32_t node);

// The node that computes the value of this one, copies and reshapes skipped.
uint32_t computed_by(const Graph& graph, uint32_t node);

// Returns true if the op turns logits into a prediction: Softmax, Sigmoid.
bool is_activation_of_output(std::string_view op);

}  // namespace cryo
