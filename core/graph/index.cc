#include "graph/index.h"

#include "graph/analysis/inference_subgraph.h"

namespace cryo {

const NodeNames& GraphIndex::names() const {
  if (!names_) names_.emplace(nodes_);
  return *names_;
}

const Edges& GraphIndex::edges() const {
  if (!edges_) edges_.emplace(nodes_, names());
  return *edges_;
}

const InferenceSubgraph& GraphIndex::inference() const {
  if (!inference_)
    inference_ = std::make_shared<const InferenceSubgraph>(inference_subgraph(*this));
  return *inference_;
}

}  // namespace cryo
