#pragma once

#include <string>
#include <vector>

#include "graph/edges.h"

namespace cryo {

// Tells the weights of layers that are written as arithmetic from constants of the model:
//
//     add: AddV2(MatMul(x, w), b)                          b [n], n columns in w: a bias
//     mul: Mul(x, r: Rsqrt(...)), Mul(Mul(x, r), g), ...   g [n]: of a normalization
//     mul: Mul(Sub(x, Abs(x)), a), x of a Conv2D           a [n], n filters: a slope by channel
//     sub: Sub(Placeholder, m)     add: Add(boxes, anchors [n,4])     none of these
//
// Only constants with one value a channel: all dimensions but one are 1.
struct LayerOperand {
  bool is_weight = false;
  bool statistics = false;  // a mean or a variance
  std::string why = {};
};

// `node` does arithmetic with the constant at its input `input`. `literal`: the constant has the
// name of one that was written in the code.
LayerOperand layer_operand(const std::vector<Node>& nodes, const Edges& edges,
                           const Consumers& consumers, uint32_t constant, const Consumer& taker,
                           bool literal);

}  // namespace cryo
