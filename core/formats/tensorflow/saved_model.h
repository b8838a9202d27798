#pragma once

#include "formats/format.h"

namespace cryo {

// A SavedModel: a folder.
//
//     saved_model.pb                       SavedModel: one or several MetaGraphDefs, told apart by
//                                          their tags
//     variables/variables.index, .data-... a V2 checkpoint
//     assets/...                           files that the graph reads
//
// Opened by its saved_model.pb. `options.tags` names the MetaGraphDef, by exactly its tags; without
// them it is the only one, or that of the tag "serve". What the graph restores its variables from
// is told by its saver (find_restores).
//
// A model that was none becomes one of tag "serve" and signature "serving_default", made of its
// likely inputs and outputs. One that a pass has changed leaves out what was told of the graph as
// it was: the object graph of TensorFlow 2 (it is then loaded as TensorFlow 1's are) and the
// fingerprint.
Result<Model> read_saved_model(const Opening& opening, const SourcePtr& file);
Result<Files> write_saved_model(const Model& model, const WriteOptions& options,
                                Diagnostics& diagnostics);

// The same with the message as text (saved_model.pbtxt), which TensorFlow loads as well.
Result<Files> write_saved_model_text(const Model& model, const WriteOptions& options,
                                     Diagnostics& diagnostics);
bool is_saved_model_part(std::string_view file, std::string_view other);

}  // namespace cryo
