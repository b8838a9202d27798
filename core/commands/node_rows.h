#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "base/result.h"
#include "graph/graph.h"

namespace cryo {

// A list of nodes, of a graph or of a function's body, which is printed row by row straight from
// the graph. As JSON values, the 24,098 nodes of a .meta of 15.5 MB took 21 MB and 57 ms more.
class NodeRows {
 public:
  explicit NodeRows(const Graph& graph) : graph_(graph) {}

  // The nodes of a body in the vocabulary of FunctionBody: the arguments come first, as nodes of
  // the op _Arg. Fails with "not-in-graph" if there is no such function.
  static Result<NodeRows> of_function(const Graph& graph, const std::string& function);

  // Keeps the nodes of which `is_kept` is true.
  void keep(FunctionRef<bool(const Node&)> is_kept);

  size_t size() const { return kept_ ? kept_->size() : nodes().size(); }

  // {"name", "op", "inputs": ["a", "b:1", "^c"], "device"}
  std::string json(size_t row) const;

  // The same for a table on a terminal: inputs are joined by blanks, texts are as in escaped.h.
  std::vector<std::string> cells(size_t row) const;

 private:
  const std::vector<Node>& nodes() const { return body_ ? *body_ : graph_.nodes(); }

  const Node& node(size_t row) const { return nodes()[kept_ ? (*kept_)[row] : row]; }

  Graph graph_;
  std::optional<std::vector<Node>> body_;
  std::optional<std::vector<size_t>> kept_;  // of the nodes; nullopt: all
};

}  // namespace cryo
