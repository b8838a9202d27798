#pragma once

#include <cstdint>
#include <vector>

#include "compat/runtimes.h"
#include "graph/functions/function_body.h"
#include "graph/graph.h"
#include "graph/op_registry.h"
#include "validate/check_graph.h"
#include "wire/payloads.h"

namespace cryo {

// Lists of tensors, as the loops of TensorFlow 2 have them, that a converter makes one tensor of
// each: it needs all sizes of an element.
//
//     TensorListReserve(element_shape [-1,4], n)   refused: -1
//     TensorListReserve(element_shape [2,4], n)    a tensor [n,2,4]

// Adds the tensors whose shapes decide the sizes to `shapes`; of unknown shape.
void add_list_shapes(const Graph& graph, const OpNames& lists, TensorShapes& shapes);

// Returns the nodes of these ops whose input `element_shape` is not known, or has a size that is
// not. `shapes`: of the tensors that add_list_shapes() adds.
std::vector<uint32_t> unsized_lists(const Graph& graph, const Payloads& payloads,
                                    const TensorShapes& shapes, const OpNames& lists,
                                    const OpRegistry& ops);

// The same of a function's body, in which constants alone are known.
std::vector<uint32_t> unsized_lists(const FunctionBody& body, const Payloads& payloads,
                                    const OpNames& lists, const OpRegistry& ops);

}  // namespace cryo
