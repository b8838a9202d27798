#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/edges.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// A tensor at which the kept graph begins.
struct Cut {
  uint32_t node = kNoNode;
  uint32_t port = 0;
  std::string placeholder = {};  // the name of its replacement
};

// The tensors that become inputs of the graph. Placeholders are inputs already and are not cut.
class Cuts {
 public:
  static Result<Cuts> find(const Model& model, const std::vector<std::string>& inputs,
                           const NodeNames& names);

  // Returns true if the edge ends at a placeholder made here; a control edge does if output 0 is
  // cut.
  bool covers(const Edge& edge) const { return at(edge.node, edge.port) != nullptr; }
  const Cut* at(uint32_t node, uint32_t port) const;
  const std::vector<Cut>& all() const { return all_; }

  // Names the placeholders, once the kept nodes are known: output 0 of a removed node takes the
  // node's name, any other "node_port", made unique.
  void name_placeholders(const std::vector<Node>& nodes, const NodeNames& names,
                         const std::vector<bool>& kept);

 private:
  std::vector<Cut> all_;
};

// Returns the Placeholder's NodeDef for a cut: the tensor's own type, and its shape if the graph
// declares it. Fails if the type of the tensor is unknown.
// `ops` may be null: some types are then unknown.
Result<std::string> placeholder_for(const Node& node, const Cut& cut, const OpRegistry* ops);

}  // namespace cryo
