#pragma once

#include <span>
#include <vector>

#include "graph/edges.h"
#include "graph/node_types.h"
#include "validate/graph/findings.h"

namespace cryo {

// The types of every node's inputs and outputs, node after node.
class TypeTable {
 public:
  // Adds the next node's types. `known`: false if its op is unknown, or its attributes have a
  // fault.
  void add(std::span<const TypeRun> inputs, std::span<const TypeRun> outputs, bool known);

  std::span<const TypeRun> inputs(uint32_t node) const { return part(size_t{2} * node); }
  std::span<const TypeRun> outputs(uint32_t node) const { return part(size_t{2} * node + 1); }
  bool known(uint32_t node) const { return known_[node]; }
  uint64_t size() const { return runs_.size(); }

 private:
  std::span<const TypeRun> part(size_t place) const {
    return std::span(runs_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }

  std::vector<TypeRun> runs_;
  std::vector<size_t> starts_ = {0};
  std::vector<bool> known_;
};

// A reference may be given where a value is expected, never the other way.
constexpr bool types_compatible(DType expected, DType given) {
  return expected == given || expected == base(given);
}

// Ports that do not exist and types that do not fit, along every edge of a main graph.
void check_edge_types(const std::vector<Node>& nodes, const Edges& edges, const TypeTable& types,
                      const Reporter& reporter);

}  // namespace cryo
