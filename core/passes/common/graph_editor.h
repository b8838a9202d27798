#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "graph/graph.h"
#include "graph/node_editor.h"

namespace cryo {

// Changes to nodes of a main graph, and nodes to add after all others, made at once by finish().
class GraphEditor {
 public:
  // REQUIRES: the graph outlives it.
  explicit GraphEditor(const Graph& graph) : graph_(graph), fresh_(graph.index().names()) {}

  // The editor of a node, with what was changed of it before.
  NodeEditor& node(uint32_t index);
  // Forgets what was changed of a node.
  NodeEditor& node_as_read(uint32_t index);

  void add(std::string node_def) { added_.push_back(std::move(node_def)); }
  std::string fresh_name(const std::string& wanted) { return fresh_.take(wanted); }

  // Removes the control edges from a node to others.
  void drop_control_edges(uint32_t from);

  bool is_changed() const { return !edited_.empty() || !added_.empty(); }
  Graph finish() const;

 private:
  const Graph& graph_;
  FreshNames fresh_;
  std::map<uint32_t, NodeEditor> edited_;
  std::vector<std::string> added_;
};

}  // namespace cryo
