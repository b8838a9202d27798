#pragma once

#include <map>
#include <utility>
#include <vector>

#include "graph/edges.h"
#include "tensor/shape.h"
#include "validate/check_graph.h"
#include "validate/graph/body.h"
#include "validate/graph/findings.h"
#include "validate/graph/library.h"
#include "validate/graph/type_table.h"
#include "wire/payloads.h"

namespace cryo {

// A graph as shapes are inferred along it: a main graph, or a function's body.
struct ShapeGraph {
  const std::vector<Node>& nodes;
  const Edges& edges;
  const TypeTable& types;
  const std::vector<uint32_t>& order;  // each node after its inputs (check_cycles)
};

// Infers the shapes of a main graph's tensors from its placeholders, constants and variables on,
// and reports the faults for which TensorFlow's importer refuses the graph:
//
//     x [?,2] --> MatMul --> error: Dimensions must be equal, but are 2 and 3
//     w [3,2] -----^
//
// A call continues in the function's body, with the shapes of its arguments; a handle carries the
// known shape and type of its variable. Ops without a rule (shape_rules.h) have outputs of unknown
// shape; so do loops. In a main graph an annotation `_output_shapes` counts as well, and must not
// contradict the inferred shape.
//
// `bodies`: of the functions that import checks (check_functions). Takes a second for a million
// nodes; reads small constants that are shapes. `wanted`: receives the shapes and values of these
// tensors; may be null.
void check_inferred_shapes(const ShapeGraph& graph, const BodyGraphs& bodies, KnownOps& ops,
                           const Payloads& payloads, int producer, const Reporter& reporter,
                           TensorShapes* wanted = nullptr);

}  // namespace cryo
