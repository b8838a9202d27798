#pragma once

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

class OpRegistry;

// Merges nodes of a main graph that compute the same: one op without state, equal attributes, the
// same inputs. Equal constants are merged, whatever their encoding.
//
//     before  x --> a: Relu --> y            after  x --> a: Relu --> y
//             x --> b: Relu --> z                              `----> z
//
// Kept as they are: outputs and nodes that the MetaGraphDef names, ops that `ops` does not know or
// that have state or take a handle, reads of variables, placeholders, control flow of TensorFlow 1.
// A library function counts as an op with state. Of constants the first bytes are read, and all
// bytes if type, shape and first bytes are equal. Prune afterwards:
// the nodes that others stand for are still there.
Result<Model> with_merged_duplicates(const Model& model, const std::vector<std::string>& outputs,
                                     const OpRegistry& ops, GraphChanges& changes);

}  // namespace cryo
