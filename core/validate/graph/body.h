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
  std::vector<Node> nodes = {};
  size_t args = 0;  // how many of them are arguments
  Edges edges = {};
  TypeTable types = {};
  std::vector<uint32_t> order = {};  // each node after its inputs
  std::vector<Edge> returns = {};    // the source of each returned tensor
  AttrScope scope = {};              // the attributes of the call
};
using BodyGraphs = std::map<const LibraryFunction*, BodyGraph>;

// Checks the body of a library function, with the attributes it is called with, as TensorFlow does
// when it instantiates the function. In a body TensorFlow checks less than in a main graph: not the
// ranges of attributes, deprecation or colocation.
//
// Checks one function; the caller follows the calls inside. Returns the body if it is valid;
// nullopt if an error was reported, or if import does not check it.
std::optional<BodyGraph> check_body(const LibraryFunction& function, const AttrScope& scope,
                                    KnownOps& ops, const Payloads& payloads,
                                    const Reporter& reporter);

}  // namespace cryo
