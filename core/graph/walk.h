#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/edges.h"

namespace cryo {

// A set of a graph's nodes, by index.
using NodeSet = std::vector<bool>;

inline void add_all(NodeSet& to, const NodeSet& nodes) {
  for (size_t i = 0; i < nodes.size(); ++i) to[i] = to[i] || nodes[i];
}

// The nodes of `count` for which `is_one(node)` is true.
template <typename IsOne>
std::vector<uint32_t> nodes_where(size_t count, IsOne is_one) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < count; ++i) {
    if (is_one(i)) found.push_back(i);
  }
  return found;
}

// The inputs of a node that give it a value, in order: neither control inputs nor those of a node
// that does not exist.
class DataInputs {
 public:
  explicit DataInputs(std::span<const Edge> inputs)
      : begin_(inputs.data()), end_(inputs.data() + inputs.size()) {}

  class Iterator {
   public:
    Iterator(const Edge* at, const Edge* end) : at_(at), end_(end) { skip(); }
    const Edge& operator*() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    void skip() {
      while (at_ != end_ && (at_->control || at_->node == kNoNode)) ++at_;
    }
    const Edge* at_;
    const Edge* end_;
  };
  Iterator begin() const { return {begin_, end_}; }
  Iterator end() const { return {end_, end_}; }

 private:
  const Edge* begin_;
  const Edge* end_;
};

inline DataInputs data_inputs(const Edges& edges, uint32_t node) {
  return DataInputs(edges.inputs(node));
}

// Edges that a walk may take: all, or those that carry a value.
constexpr auto kAnyEdge = [](uint32_t, const auto&) { return true; };
constexpr auto kDataEdge = [](uint32_t, const auto& edge) { return !edge.control; };

// Walks along the edges of a graph, breadth first. Returns which nodes it reached: the starts, of
// which those that are kNoNode are skipped, and each node at the other end of an edge that the
// caller takes. `edges_of(node)`: the edges to follow from a node, each with its other end as
// `node`. `takes(node, edge)` is asked of an edge when the node is reached that it leaves from.
template <typename EdgesOf, typename Takes>
NodeSet walk(size_t node_count, std::span<const uint32_t> starts, EdgesOf edges_of, Takes takes) {
  NodeSet reached(node_count);
  std::vector<uint32_t> queue;
  const auto reach = [&](uint32_t node) {
    if (node == kNoNode || reached[node]) return;
    reached[node] = true;
    queue.push_back(node);
  };
  for (const uint32_t start : starts) reach(start);
  for (size_t at = 0; at < queue.size();) {
    const uint32_t node = queue[at++];
    for (const auto& edge : edges_of(node)) {
      if (edge.node != kNoNode && !reached[edge.node] && takes(node, edge)) reach(edge.node);
    }
  }
  return reached;
}

// Back to the producers of inputs; each edge is an Edge.
template <typename Takes = decltype(kAnyEdge)>
NodeSet walk_back(const Edges& edges, std::span<const uint32_t> starts, Takes takes = kAnyEdge) {
  const auto inputs = [&](uint32_t node) { return edges.inputs(node); };
  return walk(edges.node_count(), starts, inputs, takes);
}

// On to the consumers of outputs; each edge is a Consumer.
template <typename Takes = decltype(kAnyEdge)>
NodeSet walk_forward(const Edges& edges, std::span<const uint32_t> starts, Takes takes = kAnyEdge) {
  const auto consumers = [&](uint32_t node) { return edges.consumers().of(node); };
  return walk(edges.node_count(), starts, consumers, takes);
}

}  // namespace cryo
