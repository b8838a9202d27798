#pragma once

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// Replaces the statistics of a batch by their moving averages (moving_averages.h), where the graph
// keeps some:
//
//     before  bn: FusedBatchNorm(x, scale, offset, [], [], is_training=true)
//             AssignSub(moving_mean, Mul(Sub(moving_mean, bn:1), 0.1))
//     after   bn: FusedBatchNorm(x, scale, offset, moving_mean, moving_variance, is_training=false)
//
//     before  moments/Squeeze --> batchnorm/mul_2       and its moving average
//     after   moving_mean/read -> batchnorm/mul_2
//
// Mean and variance are replaced together or not at all. Nothing waits for the updates any more.
// Changes numbers: the outputs no longer depend on the other elements of the batch. Works on a main
// graph with its updates: prune afterwards.
Model with_moving_averages(const Model& model, GraphChanges& changes);

}  // namespace cryo
