#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/edges.h"

namespace cryo {

// Walks along the edges of a graph, breadth first. Each returns which nodes it reached: the starts,
// of which those that are kNoNode are skipped, and each node at the other end of an edge that the
// caller takes. It asks about an edge once, when it has reached the node that it leaves from.

// Back to the producers of inputs. `takes(node, edge)`: one input of a node; never one that does
// not exist.
template <typename Takes>
std::vector<bool> walk_back(const Edges& edges, std::span<const uint32_t> starts, Takes takes) {
  std::vector<bool> reached(edges.node_count());
  std::vector<uint32_t> queue;
  const auto reach = [&](uint32_t node) {
    if (node == kNoNode || reached[node]) return;
    reached[node] = true;
    queue.push_back(node);
  };
  for (const uint32_t start : starts) reach(start);
  for (size_t at = 0; at < queue.size();) {
    const uint32_t node = queue[at++];
    for (const Edge& edge : edges.inputs(node)) {
      if (edge.node != kNoNode && !reached[edge.node] && takes(node, edge)) reach(edge.node);
    }
  }
  return reached;
}

// On to the consumers. `takes(node, consumer)`: one use of an output of a node.
template <typename Takes>
std::vector<bool> walk_forward(const Edges& edges, std::span<const uint32_t> starts, Takes takes) {
  std::vector<bool> reached(edges.node_count());
  std::vector<uint32_t> queue;
  const auto reach = [&](uint32_t node) {
    if (node == kNoNode || reached[node]) return;
    reached[node] = true;
    queue.push_back(node);
  };
  for (const uint32_t start : starts) reach(start);
  for (size_t at = 0; at < queue.size();) {
    const uint32_t node = queue[at++];
    for (const Consumer& consumer : edges.consumers().of(node)) {
      if (!reached[consumer.node] && takes(node, consumer)) reach(consumer.node);
    }
  }
  return reached;
}

}  // namespace cryo
