#pragma once

#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// Puts batch normalization into the weights of the layer before it:
//
//     before  x --> Conv2D(w) --> BiasAdd(b) --> FusedBatchNorm(gamma, beta, mean, variance) --> y
//     after   x --> Conv2D(w * scale) --> BiasAdd(b') --> y
//
//     scale = gamma / sqrt(variance + epsilon)      b' = (b - mean) * scale + beta
//
// Layers: Conv2D, Conv3D, DepthwiseConv2dNative, MatMul, in both data formats, with constant
// weights. Normalizations: FusedBatchNorm of all versions in inference form,
// BatchNormWithGlobalNormalization, and every chain of Add, Sub, Mul, RealDiv and BiasAdd with
// constants of one number for each channel that has a product or a quotient in it, which is how
// tf.nn.batch_normalization is written. What follows the layer must have no other consumers.
//
// The last node of a chain keeps its name and becomes a BiasAdd, or the layer itself where no bias
// is left. Scales are computed in double; each weight is rounded once, when it is read. Results
// differ from the original's by the rounding of float arithmetic.
//
// Works on a main graph. Prune afterwards.
Result<Model> with_folded_batch_norm(const Model& model, const std::vector<std::string>& outputs,
                                     GraphChanges& changes);

}  // namespace cryo
