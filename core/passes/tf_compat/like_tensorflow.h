#pragma once

#include "model/model.h"
#include "passes/common/conversion.h"

namespace cryo {

class OpRegistry;

// The results of TensorFlow's own tools, node for node and byte for byte, for comparison with them.
//
// The result is a plain graph, without signatures, collections, assets and checkpoint. Fails with
// "tensorflow-fails" if the tool fails on the graph. If the tool only cannot import, restore or run
// the model (an op that it does not have, a scalar string), the pass succeeds.
//
// REQUIRES: the outputs are chosen (passes/common/select_outputs.h).

// Returns the result of extract_sub_graph: like prune, but colocation is followed, nothing is
// changed, and the whole library is kept.
Result<Model> prune_like_tensorflow(const Model& model, const std::vector<std::string>& outputs,
                                    const OpRegistry* ops);

// Returns the result of freeze_graph: the graph is imported (default attributes are added, devices
// removed), extracted as above, and its variables converted to constants (convert_variables.h).
// Fails with "ops-not-loaded" without the definitions of ops.
Result<Model> freeze_like_tensorflow(const Model& model, const std::vector<std::string>& outputs,
                                     const OpRegistry* ops, Conversions& converted);

}  // namespace cryo
