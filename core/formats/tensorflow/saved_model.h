#pragma once

#include "formats/format.h"

namespace cryo {

// A SavedModel: a folder.
//
//     saved_model.pb                       SavedModel: one or several MetaGraphDefs, each
//                                          identified by its tags
//     variables/variables.index, .data-... a V2 checkpoint
//     assets/...                           files that the graph reads
//
// Opened by its saved_model.pb. `options.tags` selects the MetaGraphDef with exactly these tags.
// Without them it is the only one, or the one with the tag "serve". Its saver determines what the
// variables are restored from (find_restores).
//
// A model of another format gets the tag "serve" and the signature "serving_default", made of its
// likely inputs and outputs. If a pass has changed the model, two parts that describe the previous
// graph are removed: the object graph of TensorFlow 2 (the model is then loaded as TensorFlow 1's
// are) and the fingerprint.
Result<Model> read_saved_model(const OpenContext& context, const SourcePtr& file);
Result<Files> write_saved_model(const Model& model, const WriteOptions& options,
                                Diagnostics& diagnostics);

// The same with the message as text (saved_model.pbtxt), which TensorFlow loads as well.
Result<Files> write_saved_model_text(const Model& model, const WriteOptions& options,
                                     Diagnostics& diagnostics);
bool is_saved_model_part(std::string_view file, std::string_view other);

}  // namespace cryo
