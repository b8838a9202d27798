#pragma once

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

class OpRegistry;

// Computes what does not depend on the inputs: small tensors that follow from constants and from
// known shapes, by ops that give the same bits everywhere (graph/evaluate/evaluate.h).
//
//     before  x [2,8] --> Shape --> StridedSlice[0] --> Pack(.., 4) --> Reshape
//     after                                             Pack: Const --> Reshape
//
// A tensor has at most 100 kB, as in TensorFlow's own optimizer (kMaxConstantSize of grappler's
// constant folding). Names stay. Works on a main graph. `ops`: to infer its shapes; null: none are
// known. Prune afterwards.
Result<Model> with_folded_constants(const Model& model, const std::vector<std::string>& outputs,
                                    const OpRegistry* ops, GraphChanges& changes);

}  // namespace cryo
