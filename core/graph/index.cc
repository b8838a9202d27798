#include "graph/index.h"

namespace cryo {

const NodeNames& GraphIndex::names() const {
  if (!names_) names_.emplace(nodes_);
  return *names_;
}

const Edges& GraphIndex::edges() const {
  if (!edges_) edges_.emplace(nodes_, names());
  return *edges_;
}

}  // namespace cryo
