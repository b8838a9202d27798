#pragma once

#include "model/format.h"

namespace cryo {

// A MetaGraphDef, as Saver.save() writes it beside each checkpoint: the graph with its signatures,
// collections and saver. One that has variables and no saver gets one when it is written, so that
// it can be restored.
Result<Model> read_meta_graph(const Opening& opening, const SourcePtr& file);
Result<Files> write_meta_graph(const Model& model, const WriteOptions& options,
                               Diagnostics& diagnostics);

// The parts of a MetaGraphDef message into `model.graph` and `model.meta`.
Status split_meta_graph(std::string_view skeleton, Model& model, Diagnostics& diagnostics);

// And joined again: the message, bulk elided.
std::string meta_graph_skeleton(const Model& model);

}  // namespace cryo
