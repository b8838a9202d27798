#pragma once

#include <vector>

#include "graph/edges.h"
#include "validate/graph/body_items.h"
#include "validate/graph/findings.h"

namespace cryo {

// Lists of types that say the same, whatever their runs.
bool same_types(std::span<const TypeRun> a, std::span<const TypeRun> b);

// The inputs of the nodes of a function's body: each names something, of the type that is expected,
// and the control inputs come last.
class BodyInputs {
 public:
  // REQUIRES: both outlive it; `items` has all arguments and nodes of the body.
  BodyInputs(const BodyItems& items, const Reporter& reporter)
      : items_(items), reporter_(reporter) {}

  // Returns the edges to a node: one for each tensor, from the result of node_of(). `attrs` are the
  // node's.
  std::vector<Edge> check(const Node& node, const NodeAttrs& attrs);

 private:
  class Walk;
  bool out_of_order(const Node& node) const;
  const BodyItems& items_;
  const Reporter& reporter_;
  uint64_t edges_ = 0;  // so far
};

}  // namespace cryo
