#pragma once

#include <string_view>

namespace cryo {

// Operators of TensorFlow Lite as nodes of TensorFlow (graph/rewrite/rule.h), in the order of their
// codes. Values are the options of the operator, by their names in proto/tflite.fbs, and
//
//     T0, T1, O0, O1      the types of inputs and outputs; T is T0. Quantized tensors are float32
//     R0, D0_3, DO_1      the rank of an input; a size of an input, of the first output
//     others              tflite_facts.h
//
// Weights are transposed to TensorFlow's layout: the target computes those that are constant.
constexpr std::string_view kTfliteRules = R"(
# A tensor of one element.
scalar(x):
  Reshape(x, [])

# A fused activation.
act(y):
  y = Relu(y) if fused_activation_function == "RELU"
  y = Relu6(y) if fused_activation_function == "RELU6"
  y = Tanh(y) if fused_activation_function == "TANH"
  y = Maximum(Minimum(y, 1 as T), -1 as T) if fused_activation_function == "RELU_N1_TO_1"
  y

ADD(x, y):
  act(AddV2(x, y))

AVERAGE_POOL_2D(x):
  pool = AvgPool(x) {T, ksize=[1, filter_height, filter_width, 1],
                     strides=[1, stride_h, stride_w, 1], padding}
  act(pool)

CONCATENATION(values...):
  act(ConcatV2(values..., axis) {T, N=count(values)})

CONV_2D(x, filter, bias?):
  kernel = Transpose(filter, [1, 2, 3, 0]) {T=T1}
  conv = Conv2D(x, kernel) {T, strides=[1, stride_h, stride_w, 1], padding,
                            dilations=[1, dilation_h_factor, dilation_w_factor, 1]}
  conv = BiasAdd(conv, bias) if bias
  act(conv)

DEPTHWISE_CONV_2D(x, filter, bias?) if has_plain_strides:
  depthwise_kernel = Reshape(filter, [D1_1, D1_2, channels, -1]) {T=T1}
  conv = DepthwiseConv2dNative(x, depthwise_kernel) {T, strides=[1, stride_h, stride_w, 1], padding}
  conv = BiasAdd(conv, bias) if bias
  act(conv)

# TensorFlow's kernel on the CPU has neither dilations nor unequal strides.
DEPTHWISE_CONV_2D(x, filter, bias?):
  depthwise_kernel = Reshape(filter, [D1_1, D1_2, channels, -1]) {T=T1}
  block = [dilation_h_factor, dilation_w_factor]
  dilated = SpaceToBatchND(x, block, Reshape(paddings, [2, 2]) {T=int32})
  conv = DepthwiseConv2dNative(dilated, depthwise_kernel) {T, strides=[1, 1, 1, 1], padding="VALID"}
  conv = BatchToSpaceND(conv, block, Reshape(crops, [2, 2]) {T=int32})
  strides = [1, stride_h, stride_w, 1]
  zeros = [0, 0, 0, 0]
  conv = StridedSlice(conv, zeros, zeros, strides) {T, Index=int32, begin_mask=15, end_mask=15}
  conv = BiasAdd(conv, bias) if bias
  act(conv)

DEPTH_TO_SPACE(x):
  DepthToSpace(x) {T, block_size}

# A quantized tensor is float already.
DEQUANTIZE(x) if T0 == O0:
  Identity(x)

DEQUANTIZE(x):
  Cast(x) {SrcT=T0, DstT=O0}

EMBEDDING_LOOKUP(ids, table):
  GatherV2(table, ids, 0) {Tparams=T1, Tindices=T0, Taxis=int32}

FLOOR(x):
  Floor(x)

FULLY_CONNECTED(x, weights, bias?) if weights_format == "DEFAULT":
  kernel = Transpose(weights, [1, 0]) {T=T1}
  rows = Reshape(x, [-1, D1_1]) if !has_rows
  rows = x if has_rows
  dense = MatMul(rows, kernel)
  dense = BiasAdd(dense, bias) if bias
  sizes = Shape(x) {T, out_type=int32}
  front = StridedSlice(sizes, [0], [-1], [1]) {T=int32, Index=int32}
  shape = ConcatV2(front, [D1_0], 0) {T=int32, N=2}
  shape = out_shape if has_out_shape
  dense = Reshape(dense, shape) if keep_num_dims and !has_rows
  act(dense)

# Keys that are not in the table give zeros.
HASHTABLE_LOOKUP(keys, table_keys, table_values):
  is_key = Equal(ExpandDims(keys, 1), ExpandDims(table_keys, 0))
  is_hit = Any(is_key, 1) {}
  row = ArgMax(Cast(is_key) {SrcT=bool, DstT=int32}, 1) {T=int32}
  found = GatherV2(table_values, row, 0) {Tparams=T2, Tindices=int64, Taxis=int32}
  values = Select(is_hit, found, ZerosLike(found) {T=T2}) {T=T2}
  hits = Cast(is_hit) {SrcT=bool, DstT=uint8}
  values, hits

L2_NORMALIZATION(x):
  sum = Sum(Square(x), [-1]) {T, keep_dims=true}
  act(Mul(x, Rsqrt(Maximum(sum, 1e-12 as T))))

L2_POOL_2D(x):
  pool = AvgPool(Square(x)) {T, ksize=[1, filter_height, filter_width, 1],
                             strides=[1, stride_h, stride_w, 1], padding}
  act(Sqrt(pool))

LOCAL_RESPONSE_NORMALIZATION(x):
  LRN(x) {T, depth_radius=radius, bias, alpha, beta}

LOGISTIC(x):
  Sigmoid(x)

MAX_POOL_2D(x):
  pool = MaxPool(x) {T, ksize=[1, filter_height, filter_width, 1],
                     strides=[1, stride_h, stride_w, 1], padding}
  act(pool)

MUL(x, y):
  act(Mul(x, y))

RELU(x):
  Relu(x)

RELU_N1_TO_1(x):
  Maximum(Minimum(x, 1 as T), -1 as T)

RELU6(x):
  Relu6(x)

RESHAPE(x, shape):
  Reshape(x, shape) {T, Tshape=T1}

RESHAPE(x):
  Reshape(x, new_shape)

RESIZE_BILINEAR(x, size):
  ResizeBilinear(x, size) {T, align_corners, half_pixel_centers}

SOFTMAX(x):
  scaled = Mul(x, beta as T) if beta != 1.0
  scaled = x if beta == 1.0
  Softmax(scaled)

SPACE_TO_DEPTH(x):
  SpaceToDepth(x) {T, block_size}

TANH(x):
  Tanh(x)

# Rows of a table, weighted and combined by the first index of each.
EMBEDDING_LOOKUP_SPARSE(ids, indices, dense_shape, weights, table) if R4 == 2 and R1 == 2:
  rows = GatherV2(table, ids, 0) {Tparams=T4, Tindices=T0, Taxis=int32}
  column = ExpandDims(weights, 1) {T=T3}
  begin = [0, 0]
  segments = StridedSlice(indices, begin, [0, 1], [1, 1]) {T=T1, Index=int32, begin_mask=1,
                                                          end_mask=1, shrink_axis_mask=2}
  count = StridedSlice(dense_shape, [0], [1], [1]) {T=T2, Index=int32, shrink_axis_mask=1}
  sum = UnsortedSegmentSum(Mul(rows, column) {T=T4}, segments, count) {T=T4, Tindices=T1,
                                                                      Tnumsegments=T2}
  norm = UnsortedSegmentSum(column, segments, count) {T=T3, Tindices=T1,
                                                      Tnumsegments=T2} if combiner == "MEAN"
  norm = UnsortedSegmentSum(Square(column) {T=T3}, segments, count) {T=T3, Tindices=T1,
                                                      Tnumsegments=T2} if combiner == "SQRTN"
  norm = Sqrt(norm) {T=T3} if combiner == "SQRTN"
  sum = DivNoNan(sum, norm) {T=T4} if combiner != "SUM"
  sum

PAD(x, paddings):
  Pad(x, paddings) {T, Tpaddings=T1}

GATHER(x, indices):
  GatherV2(x, indices, axis) {Tparams=T0, Tindices=T1, Taxis=int32, batch_dims}

BATCH_TO_SPACE_ND(x, block, crops):
  BatchToSpaceND(x, block, crops) {T, Tblock_shape=T1, Tcrops=T2}

SPACE_TO_BATCH_ND(x, block, paddings):
  SpaceToBatchND(x, block, paddings) {T, Tblock_shape=T1, Tpaddings=T2}

TRANSPOSE(x, perm):
  Transpose(x, perm) {T, Tperm=T1}

MEAN(x, axes):
  Mean(x, axes) {T, Tidx=T1, keep_dims}

SUB(x, y):
  act(Sub(x, y))

# Of whole numbers the quotient is truncated.
DIV(x, y) if T in [float32, float64, float16, bfloat16]:
  act(RealDiv(x, y))

DIV(x, y):
  act(TruncateDiv(x, y))

SQUEEZE(x):
  Squeeze(x) {T, squeeze_dims}

STRIDED_SLICE(x, begin, end, strides):
  end = AddV2(begin, end) {T=T1} if offset
  StridedSlice(x, begin, end, strides) {T, Index=T1, begin_mask, end_mask, ellipsis_mask,
                                        new_axis_mask, shrink_axis_mask}

EXP(x):
  Exp(x)

TOPK_V2(x, k):
  k = scalar(k) {T=int32} if R1 != 0
  values, indices = TopKV2(x, k)
  values, indices

SPLIT(axis, x):
  axis = scalar(axis) {T=int32} if R0 != 0
  Split(axis, x) {T=T1, num_split=num_splits}

LOG_SOFTMAX(x):
  LogSoftmax(x)

CAST(x):
  Cast(x) {SrcT=T0, DstT=O0}

PRELU(x, alpha):
  SelectV2(GreaterEqual(x, 0 as T), x, Mul(x, alpha))

MAXIMUM(x, y):
  Maximum(x, y)

ARG_MAX(x, axis):
  axis = scalar(axis) {T=T1} if R1 != 0
  ArgMax(x, axis) {T, Tidx=T1, output_type=O0}

MINIMUM(x, y):
  Minimum(x, y)

LESS(x, y):
  Less(x, y)

NEG(x):
  Neg(x)

PADV2(x, paddings, value):
  value = scalar(value) if R2 != 0
  PadV2(x, paddings, value) {T, Tpaddings=T1}

GREATER(x, y):
  Greater(x, y)

GREATER_EQUAL(x, y):
  GreaterEqual(x, y)

LESS_EQUAL(x, y):
  LessEqual(x, y)

SELECT(c, x, y):
  Select(c, x, y) {T=T1}

SLICE(x, begin, size):
  Slice(x, begin, size) {T, Index=T1}

SIN(x):
  Sin(x)

TRANSPOSE_CONV(shape, filter, x, bias?):
  kernel = Transpose(filter, [1, 2, 0, 3]) {T=T1}
  conv = Conv2DBackpropInput(shape, kernel, x) {T=T2, strides=[1, stride_h, stride_w, 1], padding}
  conv = BiasAdd(conv, bias) {T=T2} if bias
  act(conv) {T=T2}

SPARSE_TO_DENSE(indices, shape, values, otherwise):
  SparseToDense(indices, shape, values, otherwise) {T=T2, Tindices=T0, validate_indices}

TILE(x, multiples):
  Tile(x, multiples) {T, Tmultiples=T1}

EXPAND_DIMS(x, axis):
  axis = scalar(axis) {T=T1} if R1 != 0
  ExpandDims(x, axis) {T, Tdim=T1}

EQUAL(x, y):
  Equal(x, y)

NOT_EQUAL(x, y):
  NotEqual(x, y)

LOG(x):
  Log(x)

SUM(x, axes):
  Sum(x, axes) {T, Tidx=T1, keep_dims}

SQRT(x):
  Sqrt(x)

RSQRT(x):
  Rsqrt(x)

SHAPE(x):
  Shape(x) {T, out_type=O0}

POW(x, y):
  Pow(x, y)

ARG_MIN(x, axis):
  axis = scalar(axis) {T=T1} if R1 != 0
  ArgMin(x, axis) {T, Tidx=T1, output_type=O0}

FAKE_QUANT(x):
  FakeQuantWithMinMaxArgs(x) {min, max, num_bits, narrow_range}

REDUCE_PROD(x, axes):
  Prod(x, axes) {T, Tidx=T1, keep_dims}

REDUCE_MAX(x, axes):
  Max(x, axes) {T, Tidx=T1, keep_dims}

PACK(values...):
  Pack(values...) {T, N=count(values), axis}

LOGICAL_OR(x, y):
  LogicalOr(x, y) {}

ONE_HOT(indices, depth, on, off):
  depth = scalar(depth) {T=int32} if R1 != 0
  on = scalar(on) {T=T2} if R2 != 0
  off = scalar(off) {T=T2} if R3 != 0
  OneHot(indices, depth, on, off) {T=T2, TI=T0, axis}

LOGICAL_AND(x, y):
  LogicalAnd(x, y) {}

LOGICAL_NOT(x):
  LogicalNot(x) {}

UNPACK(x):
  Unpack(x) {T, num, axis}

REDUCE_MIN(x, axes):
  Min(x, axes) {T, Tidx=T1, keep_dims}

FLOOR_DIV(x, y):
  FloorDiv(x, y)

REDUCE_ANY(x, axes):
  Any(x, axes) {Tidx=T1, keep_dims}

SQUARE(x):
  Square(x)

ZEROS_LIKE(x):
  ZerosLike(x)

FILL(dims, value):
  value = scalar(value) {T=T1} if R1 != 0
  Fill(dims, value) {T=T1, index_type=T0}

FLOOR_MOD(x, y):
  FloorMod(x, y)

RANGE(start, limit, delta):
  start = scalar(start) if R0 != 0
  limit = scalar(limit) if R1 != 0
  delta = scalar(delta) if R2 != 0
  Range(start, limit, delta) {Tidx=T0}

RESIZE_NEAREST_NEIGHBOR(x, size):
  ResizeNearestNeighbor(x, size) {T, align_corners, half_pixel_centers}

LEAKY_RELU(x):
  LeakyRelu(x) {T, alpha}

SQUARED_DIFFERENCE(x, y):
  SquaredDifference(x, y)

MIRROR_PAD(x, paddings):
  MirrorPad(x, paddings) {T, Tpaddings=T1, mode}

ABS(x):
  Abs(x)
)";

}  // namespace cryo
