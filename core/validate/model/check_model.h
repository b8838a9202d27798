#pragma once

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo {

// What is wrong around a graph that can be imported: what its MetaGraphDef names and the graph does
// not have (signatures, collections, saver, assets), values that its variables do not find, what
// its outputs need and nothing gives. All of it warnings: import does not look at it, and loading,
// restoring or running fails on it. Reads no weight; of a TensorFlow 2 checkpoint its object graph.
//
// `ops`: without any, types are not compared.
void check_model(const Model& model, const OpRegistry& ops, Diagnostics& diagnostics);

}  // namespace cryo
