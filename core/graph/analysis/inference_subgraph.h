#pragma once

#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "graph/edges.h"
#include "graph/index.h"
#include "graph/op_facts.h"

namespace cryo {

// Facts of ops that take inputs which are no predictions: an update, an enqueue, a data set.
constexpr OpFacts kTaker = kNoValue | kUpdates | kEnqueues;
// Facts of ops whose result is not used.
constexpr OpFacts kSideEffect = kNoValue | kUpdates | kSaves | kEffect;

// The inference subgraph: the part of a graph that computes predictions. It excludes:
// - gradients, updates, summaries, checks and the saver
// - nodes that wait for a step of training
// - nodes that judge predictions (losses, metrics, a GAN's discriminator)
// - means of errors over a batch (batch_error.h), whatever their names
// - nodes that labels feed
//
// A placeholder is a label if it reaches predictions only through a loss or metric and never
// through a weight, while other inputs do. (A softmax temperature is not a label.)
//
// GraphIndex::inference() keeps that of a graph. REQUIRES: the graph outlives it.
class InferenceSubgraph {
 public:
  explicit InferenceSubgraph(const GraphIndex& graph);

  // Nodes whose result no other node of the inference subgraph takes, except weights. If there are
  // none: the losses, else the results of updates.
  std::vector<uint32_t> sinks() const;

  // The results of updates that are neither initializers nor steps of an optimizer: the outputs of
  // a graph that counts.
  const std::vector<uint32_t>& updates() const { return updates_; }

  // The number of nodes that this one is computed from, itself included.
  uint32_t ancestors(uint32_t node) const;

  bool excluded(uint32_t node) const { return excluded_[node]; }

  // Returns true if there are gradients.
  bool trains() const { return trains_; }

  // Returns true if there are variables.
  bool has_variables() const { return has_variables_; }

  // Returns true if an op reads a pipeline's data, or decodes stored bytes.
  bool has_pipeline() const { return has_pipeline_; }

  // Returns true if the node's value depends only on the shapes of tensors, not on their values.
  bool is_of_shapes(uint32_t node) const { return of_shapes_[node]; }

  // Returns true if an input's value reaches the node. Scalar inputs (a switch, a rate) count only
  // if there are no others.
  bool is_fed(uint32_t node) const { return fed_[node]; }

  // The largest number of layers (nodes that take a weight) on a way to the node.
  uint32_t depth(uint32_t node) const { return depths_[node]; }

  // Returns true if the inference subgraph has a layer after the node.
  bool is_before_layer(uint32_t node) const { return before_layer_[node]; }

  // Returns true if the node is in the body or the condition of a loop: it cannot be fetched.
  bool is_in_loop(uint32_t node) const { return in_loop_[node]; }

  bool takes_weight(uint32_t node) const;
  const NodeNames& names() const { return names_; }
  const Edges& edges() const { return edges_; }
  const Consumers& consumers() const { return consumers_; }

 private:
  // Tensors that the graph is fed by: a placeholder, or one output of a pipeline's read.
  struct Source {
    uint32_t node;
    uint32_t port;
    bool scalar;
  };
  bool has(uint32_t node, OpFacts facts) const { return (facts_[node] & facts) != 0; }
  void find_facts();
  void find_weights();

  // The starts, and all nodes that their values reach through nodes that `takes` says yes to.
  std::vector<bool> reached(std::vector<uint32_t> starts, FunctionRef<bool(uint32_t)> takes) const;
  void find_shapes();
  void find_sources();
  void start_fed();
  std::vector<uint32_t> data_order() const;
  void measure(uint32_t node);
  void leave_training_loops();
  void measure_all();
  void exclude_training();
  bool is_initializer(uint32_t update) const;
  void exclude_fed_to_updates();
  void exclude_results_of_updates();
  void exclude_after_steps();
  void exclude_discriminators();
  void exclude_labels();
  std::vector<uint32_t> consumers_of(const Source& source) const;
  std::vector<uint32_t> descendants(std::vector<uint32_t> starts, bool behind_losses) const;
  bool shapes_prediction(const Source& source, const std::vector<bool>& predicted) const;
  bool judges(uint32_t node) const;
  void exclude_file_name(uint32_t saver);
  void exclude_losses();
  std::vector<bool> after_layers() const;
  void find_batch_errors();
  bool is_shown_only(uint32_t node) const;
  bool leads_to_loss(uint32_t node) const;
  bool is_layer_node(uint32_t node) const;
  void exclude_border();
  bool is_sink(uint32_t node) const;

  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  const Consumers& consumers_;
  std::vector<OpFacts> facts_;
  std::vector<Source> sources_;
  std::vector<bool> gradients_;  // in_gradients()
  std::vector<bool> weighted_;   // a variable, or a read of one
  std::vector<bool> of_shapes_;
  bool trains_ = false;  // has gradients
  bool has_variables_ = false;
  bool has_pipeline_ = false;
  std::vector<uint32_t> losses_;
  std::vector<bool> errors_;  // nodes of losses that are known by their ops (batch_error.h)
  std::vector<uint32_t> updates_;
  std::vector<bool> excluded_;
  std::vector<bool> shown_;  // only by summaries
  std::vector<bool> fed_;
  std::vector<uint32_t> depths_;
  std::vector<bool> before_layer_;
  std::vector<bool> in_loop_;
  std::vector<bool> layers_;
};

}  // namespace cryo
