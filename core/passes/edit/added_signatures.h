#pragma once

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

class OpRegistry;

// Adds signatures to the model's others:
//
//     "score=net/image->net/probs:0"          arguments image, probs
//     "score=x=net/image,mask->p=net/probs"   arguments x, mask; p
//     "draw=->sample"                         no inputs
//
// An argument without a name has that of its node, without scopes. Types and shapes are those that
// TensorFlow infers; `known_ops`: to infer them.
//
// Fails with "bad-option", "not-in-graph"; "signature-exists" for a key that the model has;
// "unknown-type" if the type of a tensor is not known; "not-frozen" for a SavedModel with
// functions, of which TensorFlow 2 takes the signatures while its graph is as it was read.
Result<Model> with_added_signatures(const Model& model, const std::vector<std::string>& requested,
                                    const OpRegistry* known_ops, GraphChanges& changes);

}  // namespace cryo
