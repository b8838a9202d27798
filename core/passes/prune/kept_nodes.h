#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "model/model.h"

namespace cryo {

// The nodes of a main graph that a cleanup or an optimization must not remove or rename: outputs,
// nodes that the MetaGraphDef names, and nodes without consumers, which have a purpose of their
// own.
class KeptNodes {
 public:
  // REQUIRES: the model's graph outlives it.
  KeptNodes(const Model& model, const std::vector<std::string>& outputs);

  bool has(uint32_t node) const;

  // Returns true if an output of the node other than its first is named.
  bool has_further_outputs(uint32_t node) const;

 private:
  void add(std::string_view tensor);

  const std::vector<Node>& nodes_;
  const Consumers& consumers_;
  std::unordered_set<std::string> names_;
  std::unordered_set<std::string> further_;  // nodes of which a further output is named
};

}  // namespace cryo
