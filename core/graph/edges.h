#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "graph/node.h"

namespace cryo {

constexpr uint32_t kNoNode = 0xFFFFFFFF;

// Finds nodes by name. If two share a name the first is found; the validator reports it.
// REQUIRES: the nodes outlive it.
class NodeNames {
 public:
  explicit NodeNames(const std::vector<Node>& nodes);
  uint32_t find(std::string_view name) const;  // kNoNode if there is none

  // The nodes whose name another has before them.
  const std::vector<uint32_t>& duplicates() const { return duplicates_; }

 private:
  // The hash is stored next to the node, so that a probe seldom has to fetch the name from memory.
  struct Slot {
    uint32_t node = kNoNode;
    uint32_t hash = 0;
  };
  size_t slot_of(std::string_view name, uint32_t hash) const;

  const std::vector<Node>& nodes_;
  std::vector<Slot> slots_;  // open addressing, at most half full
  std::vector<uint32_t> duplicates_;
};

class Consumers;

// One end of an edge.
struct Edge {
  uint32_t node = kNoNode;  // kNoNode: the node does not exist
  uint32_t port = 0;
  bool control = false;
};

// The edges of a main graph, resolved by name once: for each node its inputs, in order.
class Edges {
 public:
  Edges() = default;
  Edges(const std::vector<Node>& nodes, const NodeNames& names);

  // Edges resolved elsewhere (a function's body has its own syntax): the inputs of each node.
  explicit Edges(const std::vector<std::vector<Edge>>& inputs);

  std::span<const Edge> inputs(uint32_t node) const {
    return std::span(edges_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }
  size_t node_count() const { return starts_.size() - 1; }

  // The same edges the other way, built when first requested.
  const Consumers& consumers() const;

 private:
  std::vector<size_t> starts_ = {0};
  std::vector<Edge> edges_;
  mutable std::shared_ptr<const Consumers> consumers_;
};

// The same edges the other way: for each node who takes its outputs.
struct Consumer {
  uint32_t node = kNoNode;
  uint32_t input = 0;  // index among that node's inputs
  uint32_t port = 0;   // which of our outputs it takes
  bool control = false;
};

class Consumers {
 public:
  explicit Consumers(const Edges& edges);
  std::span<const Consumer> of(uint32_t node) const {
    return std::span(all_).subspan(starts_[node], starts_[node + 1] - starts_[node]);
  }

 private:
  std::vector<size_t> starts_;
  std::vector<Consumer> all_;
};

}  // namespace cryo
