#pragma once

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo {

// What is known of ops: the release's, and what the model itself brings (the `stripped_op_list` of
// its MetaGraphDef).
OpRegistry ops_for(const Model& model, const OpRegistry& ops);

}  // namespace cryo
