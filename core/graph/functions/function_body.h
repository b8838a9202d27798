#pragma once

#include <vector>

#include "graph/edges.h"
#include "graph/graph.h"
#include "graph/op_def.h"

namespace cryo {

// A library function in the vocabulary of a main graph, its edges resolved without any op's
// definition. The arguments come first, as nodes of the op `_Arg`:
//
//     body(x, w) -> x_out = Identity:output:0        nodes    x, w, MatMul, Identity
//       MatMul(x, w)                          --->   edges    MatMul <- x:0, w:0
//       Identity(MatMul:product:0)                            Identity <- MatMul:0
//                                                    returns  Identity:0
//
// A port is the number in "node:output:port": right for an op with one output argument, list or
// not, and for Switch and Merge; enough to follow what is handed on.
struct FunctionBody {
  OpDef signature = {};
  size_t arg_count = 0;
  std::vector<Node> nodes = {};
  Edges edges = {};
  std::vector<Edge> returns = {};  // of each output of the signature
};

// REQUIRES: the function's graph outlives it.
Result<FunctionBody> resolve_body(const Function& function);

// Fails with "not-in-graph" if the graph has no function of that name. REQUIRES: the graph outlives
// what these return.
Result<Function> function_named(const Graph& graph, std::string_view name);
Result<FunctionBody> body_of_function(const Graph& graph, std::string_view name);

// The function that a call (is_call) names; empty for other ops.
std::string_view called_function(const Node& node);

// "node:out:1" -> "node", "^node" -> "node".
std::string_view body_node_name(std::string_view input);

}  // namespace cryo
