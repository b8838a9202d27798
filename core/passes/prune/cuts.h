#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "graph/edges.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// A tensor at which the kept graph begins.
struct InputCut {
  uint32_t node = kNoNode;
  uint32_t port = 0;
  uint32_t variable = kNoNode;   // the handle that it is read from, if that was named
  bool taken = false;            // a kept node or an output takes it
  std::string placeholder = {};  // the name of its replacement
};

// The tensors that become inputs of the graph. Placeholders are inputs already and are not cut.
//
//     input "Split"     all outputs of Split that kept nodes take
//     input "Split:1"   this one
//     input "v"         of a VarHandleOp: all reads of v, which become one placeholder
//
// What changes a variable that is cut goes with it: "v/Assign".
class Cuts {
 public:
  static Result<Cuts> find(const Model& model, const std::vector<std::string>& inputs,
                           const NodeNames& names);

  // Returns true if the edge ends at a placeholder made here; a control edge does if output 0 is
  // cut.
  bool covers(const Edge& edge) const { return at(edge.node, edge.port) != nullptr; }
  const InputCut* at(uint32_t node, uint32_t port) const;
  const std::vector<InputCut>& all() const { return all_; }

  // Notes that a kept node takes a tensor. Does nothing for one that is not cut.
  void take(const Edge& edge);

  // Removes the cuts that were named by their node alone and that nothing takes. Where that would
  // be all of a node, one stays.
  void drop_untaken();

  // Returns true for an update of a variable that is cut. No node can wait for it.
  bool drops(uint32_t node) const { return dropped_.contains(node); }

  // Names the placeholders, once the kept nodes are known: output 0 of a removed node takes the
  // node's name, any other "node_port", made unique.
  void name_placeholders(const std::vector<Node>& nodes, const NodeNames& names,
                         const std::vector<bool>& kept);

 private:
  void add(const Edge& tensor, uint32_t variable = kNoNode);
  void add_outputs(const Graph& graph, uint32_t node);
  void add_variable(const Model& model, uint32_t node);

  std::vector<InputCut> all_;
  std::unordered_set<uint32_t> dropped_;
  std::unordered_set<uint32_t> whole_;  // nodes that were named without an output
};

// Returns the Placeholder's NodeDef for a cut: the tensor's own type, and its shape if the graph
// declares it. Fails if the type of the tensor is unknown.
// `ops` may be null: some types are then unknown.
Result<std::string> placeholder_for(const Node& node, const InputCut& cut, const OpRegistry* ops);

}  // namespace cryo
