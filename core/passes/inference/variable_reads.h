#pragma once

#include <map>
#include <string>
#include <vector>

#include "passes/common/graph_editor.h"

namespace cryo {

// Returns the variable whose reference, handle or value a tensor is, through nodes that hand it on;
// kNoNode if it is no variable's.
uint32_t variable_of(const std::vector<Node>& nodes, const Edges& edges, Edge tensor);

// Tensors with the values of variables, for nodes that did not take them before.
class VariableReads {
 public:
  // REQUIRES: both outlive it.
  VariableReads(const Graph& graph, GraphEditor& editor) : graph_(graph), editor_(editor) {}

  // Returns the read that was made with the variable, else a new one.
  const std::string& of(uint32_t variable);

 private:
  const Graph& graph_;
  GraphEditor& editor_;
  std::map<uint32_t, std::string> reads_;
};

}  // namespace cryo
