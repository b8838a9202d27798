#pragma once

#include "graph/edges.h"
#include "model/model.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// What the outputs of signatures need and nothing gives: placeholders that are no input of the
// signature, lookup tables that nothing fills.
void check_needs(const Model& model, const tensorflow::MetaGraphDef& meta, const NodeNames& names,
                 Diagnostics& diagnostics);

}  // namespace cryo
