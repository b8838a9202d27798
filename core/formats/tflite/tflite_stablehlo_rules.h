#pragma once

#include <string_view>

namespace cryo {

// Operators of StableHLO (tflite_rules.h): those that have one meaning in TensorFlow. `body` is the
// only operator of the graph that an operator applies; lists named *_shape, *_paddings and *_sizes
// are computed from known sizes (tflite_facts.h).
constexpr std::string_view kTfliteStablehloRules = R"(
STABLEHLO_LOGISTIC(x):
  Sigmoid(x)

STABLEHLO_ADD(x, y):
  AddV2(x, y)

STABLEHLO_DIVIDE(x, y) if T in [float32, float64, float16, bfloat16]:
  RealDiv(x, y)

STABLEHLO_DIVIDE(x, y):
  TruncateDiv(x, y)

STABLEHLO_MULTIPLY(x, y):
  Mul(x, y)

STABLEHLO_MAXIMUM(x, y):
  Maximum(x, y)

STABLEHLO_RESHAPE(x):
  Reshape(x, out_shape)

STABLEHLO_CLAMP(low, x, high):
  Minimum(Maximum(x, low) {T=T1}, high) {T=T1}

STABLEHLO_CONCATENATE(values...):
  ConcatV2(values..., dimension) {T, N=count(values)}

STABLEHLO_BROADCAST_IN_DIM(x):
  BroadcastTo(Reshape(x, broadcast_shape), out_shape)

STABLEHLO_SLICE(x):
  StridedSlice(x, start_indices, limit_indices, strides) {T, Index=int32}

STABLEHLO_REDUCE(x, init) if body == "STABLEHLO_ADD":
  AddV2(Sum(x, dimensions), init)

STABLEHLO_REDUCE(x, init) if body == "STABLEHLO_MULTIPLY":
  Mul(Prod(x, dimensions), init)

STABLEHLO_REDUCE(x, init) if body == "STABLEHLO_MAXIMUM":
  Maximum(Max(x, dimensions), init)

STABLEHLO_REDUCE(x, init) if body == "STABLEHLO_MINIMUM":
  Minimum(Min(x, dimensions), init)

STABLEHLO_REDUCE(x, init) if body == "STABLEHLO_AND" and T == bool:
  LogicalAnd(All(x, dimensions) {}, init) {}

STABLEHLO_REDUCE(x, init) if body == "STABLEHLO_OR" and T == bool:
  LogicalOr(Any(x, dimensions) {}, init) {}

STABLEHLO_ABS(x):
  Abs(x)

STABLEHLO_AND(x, y) if T == bool:
  LogicalAnd(x, y) {}

STABLEHLO_AND(x, y):
  BitwiseAnd(x, y)

STABLEHLO_COSINE(x):
  Cos(x)

STABLEHLO_EXPONENTIAL(x):
  Exp(x)

STABLEHLO_FLOOR(x):
  Floor(x)

STABLEHLO_LOG(x):
  Log(x)

STABLEHLO_MINIMUM(x, y):
  Minimum(x, y)

STABLEHLO_NEGATE(x):
  Neg(x)

STABLEHLO_OR(x, y) if T == bool:
  LogicalOr(x, y) {}

STABLEHLO_OR(x, y):
  BitwiseOr(x, y)

STABLEHLO_POWER(x, y):
  Pow(x, y)

STABLEHLO_REMAINDER(x, y):
  TruncateMod(x, y)

STABLEHLO_RSQRT(x):
  Rsqrt(x)

STABLEHLO_SELECT(c, x, y):
  SelectV2(c, x, y) {T=T1}

STABLEHLO_SUBTRACT(x, y):
  Sub(x, y)

STABLEHLO_TANH(x):
  Tanh(x)

STABLEHLO_SCATTER(x, indices, updates) if is_plain_scatter and body == "":
  TensorScatterUpdate(x, indices, updates) {T, Tindices=T1}

STABLEHLO_SCATTER(x, indices, updates) if is_plain_scatter and body == "STABLEHLO_ADD":
  TensorScatterAdd(x, indices, updates) {T, Tindices=T1}

STABLEHLO_COMPARE(x, y) if comparison_direction == "EQ":
  Equal(x, y)

STABLEHLO_COMPARE(x, y) if comparison_direction == "NE":
  NotEqual(x, y)

STABLEHLO_COMPARE(x, y) if comparison_direction == "GE":
  GreaterEqual(x, y)

STABLEHLO_COMPARE(x, y) if comparison_direction == "GT":
  Greater(x, y)

STABLEHLO_COMPARE(x, y) if comparison_direction == "LE":
  LessEqual(x, y)

STABLEHLO_COMPARE(x, y) if comparison_direction == "LT":
  Less(x, y)

STABLEHLO_CONVERT(x):
  Cast(x) {SrcT=T0, DstT=O0}

# Starts are moved so far that the slice is inside.
STABLEHLO_DYNAMIC_SLICE(x, starts...):
  begin = Pack(starts...) {T=T1, N=count(starts)}
  begin = Minimum(begin, last_starts as T1) {T=T1}
  begin = Maximum(begin, 0 as T1) {T=T1}
  Slice(x, begin, slice_sizes as T1) {T, Index=T1}

STABLEHLO_DYNAMIC_UPDATE_SLICE(x, update, starts...):
  sizes = Shape(update) {T, out_type=T2}
  most = Sub(Shape(x) {T, out_type=T2}, sizes) {T=T2}
  begin = Pack(starts...) {T=T2, N=count(starts)}
  begin = Maximum(Minimum(begin, most) {T=T2}, 0 as T2) {T=T2}
  end = AddV2(begin, sizes) {T=T2}
  TensorStridedSliceUpdate(x, begin, end, OnesLike(begin) {T=T2}, update) {T, Index=T2}

# An axis of n is one of n and one of 1, which is padded; joined again, its end is cut off.
dilated(x, fill):
  split = Reshape(x, split_shape)
  padded = PadV2(split, Reshape(split_paddings, [-1, 2]) {T=int32}, fill)
  joined = Reshape(padded, joined_shape)
  Slice(joined, zeros_sizes, dilated_sizes) {T, Index=int32}

DILATE(x, dilations, fill) if has_dilations:
  dilated(x, fill)

STABLEHLO_PAD(x, fill) if has_dilations:
  x = dilated(x, fill) if is_dilated
  x = Slice(x, cut_begin_sizes, cut_sizes) {T, Index=int32} if is_cut
  PadV2(x, Reshape(edge_paddings, [-1, 2]) {T=int32}, fill)

STABLEHLO_IOTA():
  range = Range(0, iota_size, 1) {Tidx=int32}
  typed = Cast(range) {SrcT=int32, DstT=O0}
  BroadcastTo(Reshape(typed, iota_shape) {T=O0}, out_shape) {T=O0}

STABLEHLO_DOT_GENERAL(x, y):
  Einsum(x, y) {T, N=2, equation}

STABLEHLO_SORT(x) if sorts_last_axis and body_direction == "GT":
  values, indices = TopKV2(x, last_size)
  values

STABLEHLO_SORT(x) if sorts_last_axis and body_direction == "LT":
  values, indices = TopKV2(Neg(x), last_size)
  Neg(values)

STABLEHLO_GATHER(x, indices) if is_plain_gather:
  GatherNd(x, indices) {Tparams=T0, Tindices=T1}

STABLEHLO_TRANSPOSE(x):
  Transpose(x, permutation)

STABLEHLO_SHIFT_LEFT(x, y):
  LeftShift(x, y)

STABLEHLO_CBRT(x):
  Mul(Sign(x), Pow(Abs(x), 0.33333334 as T))
)";

}  // namespace cryo
