#pragma once

#include "formats/format.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// A MetaGraphDef, as Saver.save() writes it next to each checkpoint: the graph with its signatures,
// collections and saver. A model with variables and no saver gets a saver when it is written, so
// that it can be restored.
Result<Model> read_meta_graph(const OpenContext& context, const SourcePtr& file);
Result<Files> write_meta_graph(const Model& model, const WriteOptions& options,
                               Diagnostics& diagnostics);

// The same as text (.meta.pbtxt).
Result<Files> write_meta_graph_text(const Model& model, const WriteOptions& options,
                                    Diagnostics& diagnostics);

// Returns true if the model's saver writes and reads checkpoints of this version. A missing saver
// counts as V2: that is the one that is added.
bool has_saver_of(const Model& model, tensorflow::SaverDef::CheckpointFormatVersion version);

// Returns the model with such a saver, for the variables that have a value. The nodes of the
// previous saver are kept.
Model with_saver_of(const Model& model, tensorflow::SaverDef::CheckpointFormatVersion version);

// The parts of a MetaGraphDef message into `model.graph` and `model.meta`.
Status split_meta_graph(std::string skeleton, Model& model, Diagnostics& diagnostics);

// And joined again: the message, bulk elided. A graph that a pass made gets the saver and the
// contexts of loops and conditionals (model/control_contexts.h) that it lacks.
std::string meta_graph_skeleton(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
