#pragma once

#include <vector>

#include "graph/analysis/graph_facts.h"

namespace cryo {

// The nodes that an inference subgraph excludes, in the order of its steps. `excluded`: the nodes
// that the steps before have excluded.

// Gradients, updates, summaries, checks, and the saver with all that only serves it.
NodeSet training_nodes(const GraphFacts& graph);

// The results of updates that are neither initializers nor steps of an optimizer.
std::vector<uint32_t> results_of_updates(const GraphFacts& graph);

// Nodes computed from what was just updated: a metric's `update_op`.
NodeSet nodes_after_updates(const GraphFacts& graph);

// Nodes that wait for a step of training, e.g. slim's train_op, an Identity of the loss after the
// steps. Return values of a graph made of a function are still its outputs.
NodeSet nodes_after_steps(const GraphFacts& graph);

// Nodes that are computed only for updates and queues: a moving average, a step of an optimizer in
// plain arithmetic, preprocessing before a queue.
NodeSet nodes_for_updates(const GraphFacts& graph, const NodeSet& excluded);

// The discriminator of a GAN: its generator is the model. A graph with only a discriminator has no
// other weights.
NodeSet discriminator_nodes(const GraphFacts& graph, const NodeSet& excluded);

// A tensor that the graph is fed by: a placeholder, or one output of a pipeline's read. One output
// has the images, another the labels.
struct FedTensor {
  uint32_t node = kNoNode;
  uint32_t port = 0;
  bool is_scalar = false;
};
std::vector<FedTensor> find_sources(const GraphFacts& graph, const NodeSet& excluded);

// Labels and the nodes that they reach, if there are weights and some other source reaches one.
NodeSet label_nodes(const GraphFacts& graph, const std::vector<FedTensor>& sources,
                    const NodeSet& excluded);

// Returns true if the inference subgraph has no consumer of the node's value. Weights have none.
bool is_sink(const GraphFacts& graph, const NodeSet& excluded, uint32_t node);

struct GraphLosses {
  std::vector<uint32_t> nodes = {};
  NodeSet errors = {};  // nodes of losses that are known by their ops (batch_error.h)
};

// Final nodes that are losses by their ops or names, with or without labels and gradients.
GraphLosses find_losses(const GraphFacts& graph, const NodeSet& excluded);

// Excludes the nodes between the prediction and a loss, a metric or a summary. TensorFlow reshapes
// the prediction there, or takes its class or its mean: such nodes belong to the loss, from the far
// end on.
void exclude_border(const GraphFacts& graph, const NodeSet& errors, NodeSet& excluded);

}  // namespace cryo
