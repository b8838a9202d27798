#pragma once

#include "graph/edges.h"
#include "graph/op_registry.h"
#include "model/model.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// What a MetaGraphDef names in its graph and is not there: tensors of signatures, nodes of
// collections, the saver's nodes, the tensors and the files of assets; and tensors of another type
// than a signature says.
void check_meta(const Model& model, const tensorflow::MetaGraphDef& meta, const NodeNames& names,
                const OpRegistry& ops, Diagnostics& diagnostics);

}  // namespace cryo
