#pragma once

#include "graph/edges.h"
#include "graph/op_registry.h"
#include "model/model.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// Reports names in a MetaGraphDef that its graph does not have: tensors of signatures, nodes of
// collections, the saver's nodes, the tensors and files of assets. Reports tensors of another type
// than a signature declares.
void check_meta(const Model& model, const tensorflow::MetaGraphDef& meta, const NodeNames& names,
                const OpRegistry& ops, Diagnostics& diagnostics);

}  // namespace cryo
