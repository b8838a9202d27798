#pragma once

#include "model/model.h"

namespace cryo {

class OpRegistry;

// Removes `_output_shapes` from nodes that a function's body brought into the main graph, where it
// contradicts the inferred shapes. In a body TensorFlow does not read this annotation; in a main
// graph its importer refuses a contradiction.
//
//     f(x [?,3]):  y: Identity(x) _output_shapes [?,4]        f/y: Identity(x)
//
// `before`: the graph with the functions; its own nodes are left as they are. Without known ops
// nothing is inferred, and nothing removed.
Model without_stale_output_shapes(const Model& made, const Graph& before, const OpRegistry* ops);

}  // namespace cryo
