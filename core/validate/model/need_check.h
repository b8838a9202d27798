#pragma once

#include "graph/edges.h"
#include "model/model.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// Reports needs of signatures' outputs that nothing supplies: placeholders that are not inputs of
// the signature, lookup tables that nothing fills.
void check_needs(const Model& model, const tensorflow::MetaGraphDef& meta, const NodeNames& names,
                 Diagnostics& diagnostics);

}  // namespace cryo
