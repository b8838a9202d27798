#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "graph/edges.h"
#include "graph/node_editor.h"
#include "model/model.h"
#include "tensor/content.h"

namespace cryo {

// Variables become constants as TensorFlow's convert_variables_to_constants has it
// (tensorflow/python/framework/convert_to_constants.py), step for step: from each variable along
// the edges, through what hands the value on, into functions, and no further than TensorFlow goes.
//
//     w: VarHandleOp --> loop/Enter T: resource --> loop/Read: ReadVariableOp [^init] --> ...
//     w: Const       --> loop/Enter T: float    --> loop/Read: Identity               --> ...
//
// What TensorFlow does not know stays as it is, to the graph's harm: ops of references (RefSwitch,
// Assign), Merge, gathers within functions, what functions return.
class SessionFreeze {
 public:
  // A graph of the nodes that are kept. REQUIRES: `model` outlives it.
  explicit SessionFreeze(const Model& model);

  // REQUIRES: in the order of the graph's nodes.
  Status convert(uint32_t variable, const Tensor& value);

  // The graph, as Python writes it.
  Result<Graph> finish() const;

 private:
  // The main graph, or the body of a function that a value came to; a body's first nodes are its
  // arguments (function_body.h).
  struct Body {
    const Function* function = nullptr;  // null for the main graph
    uint32_t arg_count = 0;
    std::vector<Node> nodes = {};
    Consumers consumers;
    std::map<uint32_t, NodeEditor> edited = {};
    std::vector<std::string> added = {};  // NodeDefs
    // Callers that are done, and their functions that were rebuilt by then.
    std::map<uint32_t, std::vector<std::string>> settled = {};
    bool converted = false;
    std::map<uint32_t, DType> args = {}, returns = {};
  };

  // A value's coming to an input of a node; targets are where it goes on to.
  struct Visit {
    uint32_t body = 0, node = 0, input = 0;
    std::vector<Visit> targets = {};
    size_t next = 0;
  };

  Status enter(Visit& visit, const Tensor& value);
  Status leave(const Visit& visit, const Tensor& value);
  Status constant(Visit& visit, const Tensor& value);
  Status gather(const Visit& visit);
  void gather_nd(const Visit& visit);
  Status read(const Visit& visit);
  Status enter_functions(Visit& visit);
  Status leave_caller(const Visit& visit, const Tensor& value);
  void leave_loop(const Visit& visit, const Tensor& value);
  void follow(Visit& visit) const;
  void settle(uint32_t body, uint32_t node);
  Status retype(const Visit& visit, std::string_view attr, uint32_t place, DType dtype);
  Result<uint32_t> body_of(std::string_view function);
  NodeEditor& edit(uint32_t body, uint32_t node);
  NodeEditor& edit_anew(const Visit& visit, std::string_view op);
  const Node& node_of(const Visit& visit) const { return bodies_[visit.body].nodes[visit.node]; }
  std::vector<std::string> node_defs(const Body& body,
                                     const std::map<std::string, std::string>& names) const;

  const Model& model_;
  std::deque<Body> bodies_;
  std::map<std::string_view, uint32_t> body_of_;  // by function
  std::map<std::string_view, const Function*> functions_;
};

}  // namespace cryo
