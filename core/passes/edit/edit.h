#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"
#include "passes/redact/redact.h"

namespace cryo {

class OpRegistry;

struct EditOptions {
  std::vector<std::string> connect = {};       // "TENSOR=PLACEHOLDER", of the second model (join.h)
  std::string scope = {};                      // of all names of the second model
  std::vector<std::string> constants = {};     // "NAME=VALUE"
  std::vector<std::string> placeholders = {};  // "x=uint8[1,8,?]" (placeholders.h)
  std::string batch = {};                      // "8", "?"
  std::vector<std::string> added_signatures = {};  // "KEY=x,y->z" (added_signatures.h)
  std::vector<std::string> rename = {};            // "FROM=TO" (base/pattern/rename.h)
  bool redact = false;                             // for a bug report (passes/redact/redact.h)
};

struct EditResult {
  Model model;
  GraphChanges changes = {};
  std::optional<RemovedCounts> redacted = {};  // with `redact`
};

// Edits a graph in place:
//
//     connect           "pre/out=x"        a tensor of the model `second` for a placeholder, or the
//                                          other way (join.h); other edits come after it
//     constants         "NAME=VALUE"       a Const takes another value of its type and shape
//     placeholders      "x=uint8[1,8,?]"   another type, shape, or both (placeholders.h)
//     batch             "8", "?"           the first dimension of the inputs (placeholders.h)
//     added_signatures  "KEY=x->y"         a signature of these tensors (added_signatures.h)
//     redact                               weights and names are removed (passes/redact/redact.h),
//                                          without other edits
//     rename            "FROM=TO"          nodes, with all that names them (renamed_nodes.h)
//
// Names are those before the edit. Shapes are inferred again from the
// placeholders on; signatures and `_output_shapes` follow.
//
// Fails with "bad-option", "not-in-graph", "rename-unused", "name-taken", "not-a-placeholder",
// "not-a-constant", "wrong-shape", "no-batch", "signature-exists", "unknown-type",
// "connect-mismatch"; with "not-frozen" for new shapes, and signatures, of a SavedModel with
// functions of its own; with "edit-refused" if TensorFlow would refuse the edited graph.
//
// `second`: the model that is joined; null for an edit of one model.
Result<EditResult> edit(const Model& model, const Model* second, const EditOptions& options,
                        const OpRegistry* ops, Diagnostics& diagnostics);

}  // namespace cryo
