#pragma once

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo {

// What is known of ops: the release's, and what the model itself brings (the `stripped_op_list` of
// its MetaGraphDef).
OpRegistry ops_for(const Model& model, const OpRegistry& ops);

// What the model itself brings alone: the ops as its producer knew them. Empty where it brings
// none.
OpRegistry producer_ops(const Model& model);

}  // namespace cryo
