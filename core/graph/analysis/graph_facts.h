#pragma once

#include <vector>

#include "graph/index.h"
#include "graph/op_facts.h"
#include "graph/walk.h"

namespace cryo {

// The nodes of a graph with the facts by which its inference subgraph is found.
struct GraphFacts {
  const std::vector<Node>& nodes;
  const Edges& edges;
  const Consumers& consumers;
  std::vector<OpFacts> ops = {};
  NodeSet gradients = {};      // in_gradients()
  bool trains = false;         // has gradients
  NodeSet weights = {};        // variables, and nodes that read them or hand them on
  NodeSet takes_weights = {};  // a weight is a data input
  NodeSet of_shapes = {};      // the value depends only on the shapes of tensors

  uint32_t count() const { return static_cast<uint32_t>(nodes.size()); }
  bool has(uint32_t node, OpFacts facts) const { return (ops[node] & facts) != 0; }
  bool any_has(OpFacts facts) const;
  std::vector<uint32_t> all_with(OpFacts facts) const;

  // Returns true for an op that computes with weights in nearly every network, and for any that
  // takes one.
  bool is_layer(uint32_t node) const;
};

// REQUIRES: the graph outlives the result.
GraphFacts graph_facts(const GraphIndex& graph);

}  // namespace cryo
