#pragma once

#include <vector>

#include "graph/edges.h"

namespace cryo {

// FusedBatchNorm and its versions, whose attribute `is_training` is true: it normalizes by the mean
// and variance of the batch that it is given, which are its outputs 1 and 2.
bool normalizes_by_batch(const Node& node);

// Returns true if the tensor is a mean or variance over a batch that a normalization uses: of
// normalizes_by_batch(), or of tf.nn.moments, a Mean whose input or consumer is a
// SquaredDifference. REQUIRES: both outlive it.
bool is_batch_statistic(const std::vector<Node>& nodes, const Edges& edges, Edge tensor);

// The mean that a variance is taken around; kNoNode if the node is no Mean of squared differences.
uint32_t mean_of_variance(const std::vector<Node>& nodes, const Edges& edges, uint32_t variance);

// A variable that keeps the moving average of a batch's statistic, in one of these forms, `v` the
// variable and `s` the statistic:
//
//     AssignSub(v, Mul(Sub(v, s), rate))             assign_moving_average
//     AssignAdd(v, Mul(Sub(s, v), rate))
//     Assign(v, Add(Mul(v, decay), Mul(s, rate)))    by hand
//     Assign(v, bn:1)                                FusedBatchNorm averages by itself
//                                                    (exponential_avg_factor)
struct MovingAverage {
  Edge statistic = {};        // the Mean, or FusedBatchNorm's output
  Edge tensor = {};           // the same as the update takes it, in another shape or type
  uint32_t taker = kNoNode;   // the node of the update that takes it
  uint32_t update = kNoNode;  // the assignment
  uint32_t variable = kNoNode;
};

std::vector<MovingAverage> find_moving_averages(const std::vector<Node>& nodes, const Edges& edges);

}  // namespace cryo
