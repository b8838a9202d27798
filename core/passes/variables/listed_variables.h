#pragma once

#include "formats/write.h"
#include "model/model.h"

namespace cryo {

// Lists the variables of a graph that has no collections of them, as un-freezing does, so that
// TensorFlow's import_meta_graph() has global_variables() and trainable_variables():
//
//     w: VariableV2, w/Assign, w/read      VariableDef {w:0, w/Assign, w/read:0}
//     v: VarHandleOp                       the same, with a new v/Assign of the checkpoint's value
//                                          (variable_initializers.h) and a new read
//
// A variable without an initial assignment and without a value in the checkpoint is not listed, and
// of a SavedModel none without a value.
// Trainable are those that the model's objects call so. Without objects: floats that are no
// statistics by their use and name; where an optimizer's steps are in the graph, those that these
// or other updates change. Slots, averages and counters are not. `whole`: the model that this one
// was made of, which still has all of that.
//
// New nodes are named in `variable_initializers`, so that formats without collections are written
// without them. Returns the model itself if it or the whole lists variables, or has none. Reads no
// tensor.
Result<Model> with_listed_variables(const Model& model, const Model& whole);

// The same for a format that has collections, and without what only they name for others. A
// MetaGraphDef keeps its own, and so does a SavedModel that did not change.
Result<Model> for_collections(const Model& model, const WriteOptions& options);

}  // namespace cryo
