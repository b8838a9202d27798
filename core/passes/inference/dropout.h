#pragma once

#include <vector>

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// A dropout: an input is scaled, and a mask made of random numbers clears some of it.
//
//     u: RandomUniform --> Add(keep, u) --> Floor --v
//     x --------> RealDiv(x, keep) -------------> Mul            before TensorFlow 1.13
//
//     u --> GreaterEqual(u, rate) --> Cast --v
//     x --> Mul(x, 1 / (1 - rate)) ------> Mul                   then
//     x --> Mul(x, 1 / (1 - rate)) --> SelectV2(GreaterEqual, Mul, 0)      from 2.14
//
// Source: tensorflow/python/ops/nn_ops.py, dropout() of these versions.
struct Dropout {
  uint32_t output = kNoNode;  // the Mul or SelectV2
  Edge input = {};            // x
  Edge amount = {};           // keep or rate, a scalar
  bool is_rate = false;
};

// Finds the dropouts of a main graph. Excludes those whose scale is not that of their mask.
// REQUIRES: both outlive it.
std::vector<Dropout> find_dropouts(const Graph& graph, const Payloads& payloads);

// Turns each dropout into an Identity of its input, of the same name. Changes numbers, unless the
// rate is 0: the outputs are no longer random. Prune afterwards.
Model without_dropout(const Model& model, GraphChanges& changes);

}  // namespace cryo
