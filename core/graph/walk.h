#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/edges.h"

namespace cryo {

// Walks along the edges of a graph, breadth first. Returns which nodes it reached: the starts, of
// which those that are kNoNode are skipped, and each node at the other end of an edge that the
// caller takes. `edges_of(node)`: the edges to follow from a node, each with its other end as
// `node`. `takes(node, edge)` is asked of an edge when the node is reached that it leaves from.
template <typename EdgesOf, typename Takes>
std::vector<bool> walk(size_t node_count, std::span<const uint32_t> starts, EdgesOf edges_of,
                       Takes takes) {
  std::vector<bool> reached(node_count);
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
template <typename Takes>
std::vector<bool> walk_back(const Edges& edges, std::span<const uint32_t> starts, Takes takes) {
  const auto inputs = [&](uint32_t node) { return edges.inputs(node); };
  return walk(edges.node_count(), starts, inputs, takes);
}

// On to the consumers of outputs; each edge is a Consumer.
template <typename Takes>
std::vector<bool> walk_forward(const Edges& edges, std::span<const uint32_t> starts, Takes takes) {
  const auto consumers = [&](uint32_t node) { return edges.consumers().of(node); };
  return walk(edges.node_count(), starts, consumers, takes);
}

}  // namespace cryo
