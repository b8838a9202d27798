#pragma once

#include <string_view>

namespace cryo {

// Operators from code 102 on (tflite_rules.h).
constexpr std::string_view kTfliteLaterRules = R"(
SPLIT_V(x, sizes, axis):
  axis = scalar(axis) {T=int32} if R2 != 0
  SplitV(x, sizes, axis) {T, Tlen=T1, num_split=num_splits}

UNIQUE(x):
  y, idx = Unique(x) {T, out_idx=O1}
  y, idx

CEIL(x):
  Ceil(x)

REVERSE_V2(x, axes):
  ReverseV2(x, axes) {T, Tidx=T1}

ADD_N(values...):
  AddN(values...) {T, N=count(values)}

GATHER_ND(x, indices):
  GatherNd(x, indices) {Tparams=T0, Tindices=T1}

COS(x):
  Cos(x)

WHERE(c):
  Where(c)

RANK(x):
  Rank(x)

ELU(x):
  Elu(x)

REVERSE_SEQUENCE(x, lengths):
  ReverseSequence(x, lengths) {T, Tlen=T1, seq_dim, batch_dim}

MATRIX_DIAG(x):
  MatrixDiag(x)

QUANTIZE(x) if T0 == O0:
  Identity(x)

QUANTIZE(x):
  Cast(x) {SrcT=T0, DstT=O0}

MATRIX_SET_DIAG(x, diagonal):
  MatrixSetDiag(x, diagonal)

ROUND(x):
  Round(x)

HARD_SWISH(x):
  gate = Mul(Relu6(AddV2(x, 3 as T)), 0.16666667 as T)
  Mul(x, gate)

NON_MAX_SUPPRESSION_V4(boxes, scores, most, iou, score):
  indices, count = NonMaxSuppressionV4(boxes, scores, most, iou, score) {
      T, pad_to_max_output_size=true}
  indices, count

NON_MAX_SUPPRESSION_V5(boxes, scores, most, iou, score, sigma):
  indices, kept, count = NonMaxSuppressionV5(boxes, scores, most, iou, score, sigma) {
      T, pad_to_max_output_size=true}
  indices, kept, count

SCATTER_ND(indices, updates, shape):
  ScatterNd(indices, updates, shape) {T=T1, Tindices=T0}

SELECT_V2(c, x, y):
  SelectV2(c, x, y) {T=T1}

DENSIFY(x):
  Identity(x)

SEGMENT_SUM(x, ids):
  SegmentSum(x, ids) {T, Tindices=T1}

BATCH_MATMUL(x, y):
  BatchMatMulV2(x, y) {T, adj_x, adj_y}

CUMSUM(x, axis):
  axis = scalar(axis) {T=T1} if R1 != 0
  Cumsum(x, axis) {T, Tidx=T1, exclusive, reverse}

BROADCAST_TO(x, shape):
  BroadcastTo(x, shape) {T, Tidx=T1}

RFFT2D(x, length):
  RFFT2D(x, length) {}

CONV_3D(x, kernel, bias?):
  conv = Conv3D(x, kernel) {T, strides=[1, stride_d, stride_h, stride_w, 1], padding,
                dilations=[1, dilation_d_factor, dilation_h_factor, dilation_w_factor, 1]}
  conv = BiasAdd(conv, bias) if bias
  act(conv)

IMAG(x):
  Imag(x) {T, Tout=O0}

REAL(x):
  Real(x) {T, Tout=O0}

COMPLEX_ABS(x):
  ComplexAbs(x) {T, Tout=O0}

REDUCE_ALL(x, axes):
  All(x, axes) {Tidx=T1, keep_dims}

CONV_3D_TRANSPOSE(shape, kernel, x, bias?):
  conv = Conv3DBackpropInputV2(shape, kernel, x) {T=T2, Tshape=T0, padding,
                strides=[1, stride_d, stride_h, stride_w, 1],
                dilations=[1, dilation_d_factor, dilation_h_factor, dilation_w_factor, 1]}
  conv = BiasAdd(conv, bias) {T=T2} if bias
  act(conv) {T=T2}

READ_VARIABLE(handle):
  ReadVariableOp(handle) {dtype=O0}

ASSIGN_VARIABLE(handle, value):
  AssignVariableOp(handle, value) {dtype=T1}

HASHTABLE_FIND(table, keys, otherwise):
  LookupTableFindV2(table, keys, otherwise) {Tin=T1, Tout=O0}

HASHTABLE_IMPORT(table, keys, values):
  LookupTableImportV2(table, keys, values) {Tin=T1, Tout=T2}

HASHTABLE_SIZE(table):
  LookupTableSizeV2(table) {}

BROADCAST_ARGS(one, other):
  BroadcastArgs(one, other)

RANDOM_STANDARD_NORMAL(shape):
  RandomStandardNormal(shape) {dtype=O0, T=T0, seed, seed2}

BUCKETIZE(x):
  Bucketize(x) {T, boundaries}

RANDOM_UNIFORM(shape):
  RandomUniform(shape) {dtype=O0, T=T0, seed, seed2}

MULTINOMIAL(logits, count):
  count = scalar(count) {T=int32} if R1 != 0
  Multinomial(logits, count) {T, output_dtype=O0, seed, seed2}

GELU(x) if approximate:
  cube = Mul(Square(x), x)
  inner = AddV2(x, Mul(cube, 0.044715 as T))
  gate = AddV2(Tanh(Mul(inner, 0.7978846 as T)), 1 as T)
  Mul(Mul(x, 0.5 as T), gate)

GELU(x):
  gate = AddV2(Erf(Mul(x, 0.70710677 as T)), 1 as T)
  Mul(Mul(x, 0.5 as T), gate)

DYNAMIC_UPDATE_SLICE(x, update, starts):
  sizes = Shape(update) {T, out_type=T2}
  most = Sub(Shape(x) {T, out_type=T2}, sizes) {T=T2}
  begin = Maximum(Minimum(starts, most) {T=T2}, 0 as T2) {T=T2}
  end = AddV2(begin, sizes) {T=T2}
  TensorStridedSliceUpdate(x, begin, end, OnesLike(begin) {T=T2}, update) {T, Index=T2}

RELU_0_TO_1(x):
  Maximum(Minimum(x, 1 as T), 0 as T)

UNSORTED_SEGMENT_PROD(x, ids, count):
  UnsortedSegmentProd(x, ids, count) {T, Tindices=T1, Tnumsegments=T2}

UNSORTED_SEGMENT_MAX(x, ids, count):
  UnsortedSegmentMax(x, ids, count) {T, Tindices=T1, Tnumsegments=T2}

UNSORTED_SEGMENT_SUM(x, ids, count):
  UnsortedSegmentSum(x, ids, count) {T, Tindices=T1, Tnumsegments=T2}

ATAN2(y, x):
  Atan2(y, x)

UNSORTED_SEGMENT_MIN(x, ids, count):
  UnsortedSegmentMin(x, ids, count) {T, Tindices=T1, Tnumsegments=T2}

SIGN(x):
  Sign(x)

BITCAST(x):
  Bitcast(x) {T, type=O0}

BITWISE_XOR(x, y):
  BitwiseXor(x, y)

RIGHT_SHIFT(x, y):
  RightShift(x, y)
)";

}  // namespace cryo
