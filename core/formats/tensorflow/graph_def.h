#pragma once

#include "formats/format.h"

namespace cryo {

// A bare GraphDef, the usual form of a frozen model. Values of variables are omitted, with a
// warning.
Result<Model> read_graph_def(const OpenContext& context, const SourcePtr& file);
Result<Files> write_graph_def(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics);

// The same as text (.pbtxt), as TensorFlow's tf.io.write_graph writes it.
Result<Files> write_graph_def_text(const Model& model, const WriteOptions& options,
                                   Diagnostics& diagnostics);

}  // namespace cryo
