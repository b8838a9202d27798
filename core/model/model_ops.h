#pragma once

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo {

// Returns the known ops: the release's, and those in the model itself (the `stripped_op_list` of
// its MetaGraphDef).
OpRegistry with_model_ops(const Model& model, const OpRegistry& ops);

// Returns only the model's own ops, as its producer had them. Empty if it has none.
OpRegistry producer_ops(const Model& model);

}  // namespace cryo
