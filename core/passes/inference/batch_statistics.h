#pragma once

#include <vector>

#include "graph/graph.h"
#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// FusedBatchNorm and its versions, whose attribute `is_training` is true: it normalizes by the mean
// and variance of the batch that it is given, which are its outputs 1 and 2.
bool normalizes_by_batch(const Node& node);

// Returns true if the tensor is a mean or variance over a batch that a normalization uses: of
// normalizes_by_batch(), or of tf.nn.moments, a Mean whose input or consumer is a
// SquaredDifference. REQUIRES: both outlive it.
bool is_batch_statistic(const std::vector<Node>& nodes, const Edges& edges, Edge tensor);

// Replaces the statistics of a batch by their moving averages, where the graph keeps some:
//
//     before  bn: FusedBatchNorm(x, scale, offset, [], [], is_training=true)
//             AssignSub(moving_mean, Mul(Sub(moving_mean, bn:1), 0.1))
//     after   bn: FusedBatchNorm(x, scale, offset, moving_mean, moving_variance, is_training=false)
//
//     before  moments/Squeeze --> batchnorm/mul_2       and its moving average
//     after   moving_mean/read -> batchnorm/mul_2
//
// Mean and variance are replaced together or not at all. Changes numbers: the outputs no longer
// depend on the other elements of the batch.. Works on a main graph with its
// updates: prune afterwards.
Model with_moving_averages(const Model& model, GraphChanges& changes);

}  // namespace cryo
