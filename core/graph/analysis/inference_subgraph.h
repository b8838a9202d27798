#pragma once

#include <vector>

#include "graph/index.h"
#include "graph/walk.h"

namespace cryo {

// Measures of nodes by the data that flows to them.
struct NodeMeasures {
  // An input's value reaches the node. Scalar inputs (a switch, a rate) count only if there are no
  // others.
  NodeSet fed = {};

  // In the body or the condition of a loop: the node cannot be fetched.
  NodeSet in_loop = {};

  // The inference subgraph has a layer after the node.
  NodeSet before_layer = {};

  // The largest number of layers (nodes that take a weight) on a way to the node.
  std::vector<uint32_t> depth = {};
};

// The inference subgraph: the part of a graph that computes predictions. It excludes:
// - gradients, updates, summaries, checks and the saver
// - nodes that wait for a step of training
// - nodes that judge predictions (losses, metrics, a GAN's discriminator)
// - means of errors over a batch (batch_error.h), whatever their names
// - nodes that labels feed
//
// A placeholder is a label if it reaches predictions only through a loss or metric and never
// through a weight, while other inputs do. (A softmax temperature is not a label.)
struct InferenceSubgraph {
  NodeSet excluded = {};

  // Nodes whose result no other node of the inference subgraph takes, except weights. If there are
  // none: the losses, else the results of updates.
  std::vector<uint32_t> sinks = {};

  // The results of updates that are neither initializers nor steps of an optimizer: the outputs of
  // a graph that counts.
  std::vector<uint32_t> updates = {};

  NodeMeasures measures = {};
  NodeSet takes_weights = {};  // a variable's value is an input
  NodeSet of_shapes = {};      // the value depends only on the shapes of tensors
  bool trains = false;         // there are gradients
  bool has_variables = false;
  bool has_pipeline = false;  // an op reads a pipeline's data, or decodes stored bytes
};

// GraphIndex::inference() keeps the result for a graph.
InferenceSubgraph inference_subgraph(const GraphIndex& index);

}  // namespace cryo
