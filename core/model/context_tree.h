#pragma once

#include <string>
#include <vector>

#include "base/text.h"
#include "graph/analysis/loops.h"
#include "graph/graph.h"

namespace cryo {

// The loops and branches of a graph that get a context, numbered as its branches are: the first are
// the frames. REQUIRES: the nodes outlive it.
class ContextTree {
 public:
  explicit ContextTree(const Graph& graph);

  bool is_loop(uint32_t context) const { return context < loops.size(); }
  const Branch& branch(uint32_t context) const { return branches.all()[context]; }
  size_t size() const { return branches.all().size(); }

  // Returns true if TensorFlow's Python can have the context; the root has none.
  bool has(uint32_t context) const;

  // Returns the context that a branch or frame belongs to: itself, or the nearest existing one
  // around it; else the root.
  uint32_t around(uint32_t branch) const;

  // The context around one.
  uint32_t outer(uint32_t context) const { return around(branch(context).outer); }

  // Returns a tensor that is alive when the branch runs; empty if the branch has no nodes.
  const std::string& pivot(uint32_t branch) const { return pivots_[branch]; }

  std::string tensor(uint32_t node, uint32_t port = 0) const {
    return cat(nodes[node].name, ":", port);
  }
  std::string tensor(const Edge& edge) const { return tensor(edge.node, edge.port); }

  const std::vector<Node>& nodes;
  const NodeNames& names;
  const Edges& edges;
  const Consumers& consumers;
  const Frames frames;
  const Branches branches;
  const std::vector<Loop> loops;  // by frame

 private:
  void find_pivots();

  std::vector<std::string> pivots_;  // by branch
};

}  // namespace cryo
