#pragma once

#include "passes/pass.h"

namespace cryo {

// Edits a graph in place:
//
//     connect           "pre/out=x"        a tensor of the model `other` for a placeholder, or the
//                                          other way (join.h); other edits come after it
//     constants_set     "NAME=VALUE"       a Const takes another value of its type and shape
//     placeholders      "x=uint8[1,8,?]"   another type, shape, or both (placeholders.h)
//     batch             "8", "?"           the first dimension of the inputs (placeholders.h)
//     added_signatures  "KEY=x->y"         a signature of these tensors (added_signatures.h)
//     redact                               weights and names are removed (passes/redact/redact.h),
//                                          without other edits
//     rename            "FROM=TO"          nodes, with all that names them (renamed_nodes.h)
//
// Names are those before the edit. The log lists each change. Shapes are inferred again from the
// placeholders on; signatures and `_output_shapes` follow.
//
// Fails with "bad-option", "not-in-graph", "rename-unused", "name-taken", "not-a-placeholder",
// "not-a-constant", "wrong-shape", "no-batch", "signature-exists", "unknown-type",
// "connect-mismatch"; with "not-frozen" for new shapes, and signatures, of a SavedModel with
// functions of its own; with "edit-refused" if TensorFlow would refuse the edited graph.
Result<Model> edit(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
