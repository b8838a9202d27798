#pragma once

#include <vector>

#include "graph/edges.h"
#include "graph/graph.h"

namespace cryo {

// The half of a graph that computes predictions: without gradients, updates, summaries and the
// saver, without what waits for a step of training, and without what hangs on labels. A label is a
// placeholder that never meets a weight on its way, while others do, and a prediction only by a
// loss or a metric: a temperature by which logits are divided is none. REQUIRES: the graph outlives
// it.
class ForwardHalf {
 public:
  explicit ForwardHalf(const Graph& graph);

  // Nodes whose result nothing of the forward half takes, weights left out; the losses where there
  // is nothing else.
  std::vector<uint32_t> sinks() const;

  // How many nodes this one needs, itself included.
  uint32_t ancestors(uint32_t node) const;

  bool excluded(uint32_t node) const { return excluded_[node]; }

  // Whether there are gradients.
  bool trains() const { return trains_; }

  // Whether the node's value comes from the shapes of tensors alone, not from what is in them.
  bool is_of_shapes(uint32_t node) const { return of_shapes_[node]; }

 private:
  void find_weights();
  void find_shapes();
  void exclude_training();
  void exclude_after_steps();
  void exclude_labels();
  bool takes_weight(uint32_t node) const;
  std::vector<uint32_t> descendants(std::vector<uint32_t> starts, bool behind_losses) const;
  bool shapes_prediction(uint32_t placeholder, const std::vector<bool>& predicted) const;
  void exclude_file_name(uint32_t saver);
  void exclude_losses();
  bool leads_to_loss(const Node& node) const;
  void exclude_border();
  bool is_sink(uint32_t node) const;

  const std::vector<Node>& nodes_;
  NodeNames names_;
  Edges edges_;
  Consumers consumers_;
  std::vector<bool> weighted_;  // a variable, or a read of one
  std::vector<bool> of_shapes_;
  bool trains_ = false;  // has gradients
  std::vector<uint32_t> losses_;
  std::vector<bool> excluded_;  // of the backward half, of the saver, fed by labels
};

}  // namespace cryo
