#pragma once

#include <map>
#include <optional>

#include "graph/edges.h"
#include "graph/node_attrs.h"
#include "validate/graph/findings.h"
#include "validate/graph/library.h"
#include "validate/graph/type_table.h"

namespace cryo {

// A function's body in the vocabulary of a main graph: a node of the op `_Arg` for each argument,
// with as many outputs as the argument has tensors, then the body's own.
struct BodyGraph {
  std::vector<Node> nodes;
  size_t args = 0;  // how many of them are arguments
  Edges edges;
  TypeTable types;
  std::vector<uint32_t> order;  // each node after its inputs
  std::vector<Edge> returns;    // what each tensor that the function returns is
  AttrScope scope;              // what it is called with
};
using BodyGraphs = std::map<const LibraryFunction*, BodyGraph>;

// The body of a library function, with the attributes it is called with: what TensorFlow finds when
// it instantiates the function. Inside a body it looks for less than in a main graph: not at ranges
// of attributes, deprecation or colocation.
//
// Call it for one function after the other; the calls inside are the caller's to follow. Gives back
// what was found to be good; nothing where an error was told, or where import does not look.
std::optional<BodyGraph> check_body(const LibraryFunction& function, const AttrScope& scope,
                                    KnownOps& ops, const Payloads& payloads,
                                    const Reporter& reporter);

}  // namespace cryo
