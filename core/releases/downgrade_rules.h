#pragma once

#include <string_view>

namespace cryo {

// Rewrites of newer ops into those of earlier releases (graph/rewrite/rule.h), with the same bits.
// OpDowngrades answers what they ask of a node.
constexpr std::string_view kDowngradeRules = R"(
# A tensor is broadcast by ops that all releases have, for every type.
vector(scalar):
  ExpandDims(scalar, 0) {T=int32}

shape(x):
  Shape(x)

whole(one, other):
  BroadcastArgs(one, other) {T=int32}

tiling(x, to):
  shape = shape(x)
  rank = Size(to) {T=int32}
  own_rank = Size(shape) {T=int32}
  missing = Sub(rank, own_rank) {T=int32}
  ones = Fill(vector(missing), 1) {T=int32}
  padded = ConcatV2(ones, shape, 0) {N=2, T=int32}    # 1, ..., 1 and the shape of x
  divisor = Maximum(padded, 1) {T=int32}
  reshaped = Reshape(x, padded)
  multiples = FloorDiv(to, divisor) {T=int32}
  reshaped, multiples

broadcast(x, to):
  reshaped, multiples = tiling(x, to)
  Tile(reshaped, multiples)

AddV2(x, y):
  Add(x, y) {*}

# Of other types, Select has no kernel.
DivNoNan(x, y) if T in [float32, float64]:
  quotient = RealDiv(x, y, ^*)
  zeros = ZerosLike(quotient)
  is_zero = Equal(y, zeros)
  Select(is_zero, zeros, quotient) {*}

GatherV2(x, indices, axis) if axis_is_zero and !batch_dims:
  Gather(x, indices) {*, -Taxis, -batch_dims}

SelectV2(c, x, y) if selects_equal_shapes:
  Select(c, x, y) {*}

SelectV2(c, x, y) if has_tiles:
  of_two = whole(shape(c) {T=bool}, shape(x))
  to = whole(of_two, shape(y))
  c = broadcast(c, to) {T=bool} if !input_0_is_whole
  x = broadcast(x, to) if !input_1_is_whole
  y = broadcast(y, to) if !input_2_is_whole
  Select(c, x, y) {*}

BroadcastTo(x, shape) if has_tiles:
  to = Cast(shape) {SrcT=Tidx, DstT=int32} if Tidx == int64
  to = shape if Tidx != int64
  reshaped, multiples = tiling(x, to)
  Tile(reshaped, multiples) {*, -Tidx}

BatchMatMulV3(x, y) if Ta == Tout and Tb == Tout:
  BatchMatMulV2(x, y) {*, T=Ta, -Ta, -Tb, -Tout}

BatchMatMulV2(x, y) if has_equal_batches:
  BatchMatMul(x, y) {*}

# The sizes of the batch, and of its matrices.
batch_and_matrix(x, first, two):
  shape = shape(x)
  rank = Size(shape) {T=int32}
  axes = Sub(rank, 2) {T=int32}
  axes = vector(axes)
  batch = Slice(shape, first, axes) {T=int32, Index=int32}
  matrix = Slice(shape, axes, two) {T=int32, Index=int32}
  batch, matrix

joined(batch, matrix):
  shape = ConcatV2(batch, matrix, 0) {N=2, T=int32}
  shape

BatchMatMulV2(x, y) if has_tiles:
  first = vector(0)
  two = vector(2)
  x_batch, x_matrix = batch_and_matrix(x, first, two)
  y_batch, y_matrix = batch_and_matrix(y, first, two)
  batch = whole(x_batch, y_batch)
  x = broadcast(x, joined(batch, x_matrix)) if !input_0_is_whole
  y = broadcast(y, joined(batch, y_matrix)) if !input_1_is_whole
  BatchMatMul(x, y) {*}

FusedBatchNormV3(x, scale, offset, mean, variance) if normalizes_alike:
  FusedBatchNormV2(x, scale, offset, mean, variance) {*, -exponential_avg_factor, -_output_shapes}

FusedBatchNormV2(x, scale, offset, mean, variance) if T == float32 and U == float32:
  FusedBatchNorm(x, scale, offset, mean, variance) {*, -U}
)";

// Ops without an attribute by which an input may have other types: the input is converted.
constexpr std::string_view kConvertedInputRules = R"(
Where(x) if without_T:
  zeros = ZerosLike(x)
  is_true = NotEqual(x, zeros)
  Where(is_true) {*, -T}

# Each id is a row in memory.
SparseSegment*(x, indices, segments, more...) if without_Tsegmentids:
  segments = Cast(segments) {SrcT=Tsegmentids, DstT=int32}
  *(x, indices, segments, more...) {*, -Tsegmentids}
)";

}  // namespace cryo
