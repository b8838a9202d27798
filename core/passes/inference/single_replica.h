#pragma once

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// Takes what one core computes, out of a graph that was made for the cores of a TPU:
//
//     before  TPUReplicateMetadata --^ InfeedDequeueTuple, ...   attribute _tpu_replicate
//             x0, x1 --> TPUReplicatedInput --> MatMul --> TPUReplicatedOutput --> :0, :1
//     after   x0 -----> Identity -------------> MatMul --> Identity ------------> :0
//
// The consumers of the other cores' outputs take that of the first. Prune afterwards.
Model with_single_replica(const Model& model, GraphChanges& changes);

}  // namespace cryo
