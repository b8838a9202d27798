#pragma once

#include <cstdint>
#include <vector>

#include "picture/groups/node_roles.h"
#include "picture/groups/scene.h"

namespace cryo {

// Weights, constants and what reads them, drawn as lines of the node that takes them:
//
//     w (VariableV2) -> w/read (Identity) -> conv (Conv2D)      --->      conv (Conv2D)
//                                                                         w [3,3,32,64]
//
// A weight with several consumers stays a node; a constant of a few elements is drawn with the
// first of them.
class Folding {
 public:
  // Folds nothing.
  explicit Folding(size_t nodes) : hosts_(nodes, kNoNode) {}
  Folding(const Scene& scene, const std::vector<NodeRole>& roles);

  bool is_folded(uint32_t node) const { return hosts_[node] != kNoNode; }

  // The node that is drawn for it: itself unless it is folded.
  uint32_t host(uint32_t node) const { return is_folded(node) ? hosts_[node] : node; }

 private:
  std::vector<uint32_t> hosts_;
};

}  // namespace cryo
