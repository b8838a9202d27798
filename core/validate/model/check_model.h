#pragma once

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo {

// Checks the parts of a model outside of its graph: names in its MetaGraphDef that the graph does
// not have (signatures, collections, saver, assets), variables without a value, and needs of
// outputs that nothing supplies. All findings are warnings: import does not check these, and
// loading, restoring or running fails. Reads no weights; of a TensorFlow 2 checkpoint it reads the
// object graph.
//
// `ops`: if empty, types are not compared.
void check_model(const Model& model, const OpRegistry& ops, Diagnostics& diagnostics);

}  // namespace cryo
