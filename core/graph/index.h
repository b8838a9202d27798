#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "graph/edges.h"

namespace cryo {

struct InferenceSubgraph;

// The nodes of a graph, with their names, edges and consumers, and its inference subgraph. Each is
// built when it is first requested, and shared by all copies of the graph: passes use it instead of
// building their own.
class GraphIndex {
 public:
  GraphIndex() = default;
  explicit GraphIndex(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}
  GraphIndex(const GraphIndex&) = delete;
  GraphIndex& operator=(const GraphIndex&) = delete;

  const std::vector<Node>& nodes() const { return nodes_; }
  const NodeNames& names() const;
  const Edges& edges() const;
  const Consumers& consumers() const { return edges().consumers(); }
  const InferenceSubgraph& inference() const;  // graph/analysis/inference_subgraph.h

 private:
  const std::vector<Node> nodes_ = {};
  mutable std::optional<NodeNames> names_;
  mutable std::optional<Edges> edges_;
  mutable std::shared_ptr<const InferenceSubgraph> inference_;
};

}  // namespace cryo
