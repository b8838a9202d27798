#pragma once

#include <string_view>

namespace cryo {

// Recurrent operators, and custom ones that are widely used (tflite_rules.h). State that a file
// keeps between runs is zero at the beginning of each.
constexpr std::string_view kTfliteRecurrentRules = R"(
LSTM(x, h, weights, bias, c) if kernel_type == "BASIC":
  kernel = Transpose(weights, [1, 0])
  gates = BiasAdd(MatMul(ConcatV2(x, h, 1) {T, N=2}, kernel), bias)
  i, g, f, o = Split(1, gates) {T, num_split=4}
  cell = AddV2(Mul(Sigmoid(f), c), Mul(Sigmoid(i), Tanh(g)))
  output = Mul(Sigmoid(o), Tanh(cell))
  output, cell

columns(i, f, c, o):
  i = Transpose(i, [1, 0])
  f = Transpose(f, [1, 0])
  c = Transpose(c, [1, 0])
  o = Transpose(o, [1, 0])
  ConcatV2(i, f, c, o, 1) {T, N=4}

# Time is the first axis.
lstm(x, length, wi, wf, wc, wo, ri, rf, rc, ro, pi, pf, po, bi, bf, bc, bo, h, c):
  weights = columns(wi, wf, wc, wo)
  recurrent = columns(ri, rf, rc, ro)
  kernel = ConcatV2(weights, recurrent, 0) {T, N=2}
  bias = ConcatV2(bi, bf, bc, bo, 0) {T, N=4}
  pi = ZerosLike(bf) if !pi
  pf = ZerosLike(bf) if !pf
  po = ZerosLike(bf) if !po
  i, cells, f, o, ci, co, output = BlockLSTMV2(length, x, c, h, kernel, pi, pf, po, bias) {
      T, cell_clip, use_peephole=true}
  output

by_time(x):
  Transpose(x, [1, 0, 2])

UNIDIRECTIONAL_SEQUENCE_LSTM(x, wi, wf, wc, wo, ri, rf, rc, ro, pi?, pf?, po?, bi, bf, bc, bo,
    projection?, projection_bias?, h, c, ni?, nf?, nc?, no?)
    if fused_activation_function == "TANH" and !projection and !nf and !diagonal_recurrent_tensors:
  length = D0_0 as int64 if time_major
  length = D0_1 as int64 if !time_major
  x = by_time(x) if !time_major
  sizes = Shape(x) {T, out_type=int64} if !has_known_sizes
  length = StridedSlice(sizes, [0], [1], [1]) {T=int64, Index=int32,
                                               shrink_axis_mask=1} if !has_known_sizes
  output = lstm(x, length, wi, wf, wc, wo, ri, rf, rc, ro, pi, pf, po, bi, bf, bc, bo, h, c)
  output = by_time(output) if !time_major
  output

RNN(x, weights, recurrent, bias, h):
  kernel = Transpose(weights, [1, 0])
  recurrent_kernel = Transpose(recurrent, [1, 0])
  sum = AddV2(MatMul(x, kernel), MatMul(h, recurrent_kernel))
  sum = BiasAdd(sum, bias)
  sum = Relu(sum) if fused_activation_function == "RELU"
  sum = Relu6(sum) if fused_activation_function == "RELU6"
  sum = Tanh(sum) if fused_activation_function == "TANH"
  sum

# The memory moves by one step; its last one is new.
SVDF(x, features, times, bias?, state):
  kernel = Transpose(features, [1, 0])
  memory = Reshape(state, [D0_0, D1_0, D2_1])
  zeros = [0, 0, 0]
  kept = StridedSlice(memory, [0, 0, 1], zeros, [1, 1, 1]) {T, Index=int32, begin_mask=3, end_mask=7}
  step = ExpandDims(MatMul(x, kernel), 2)
  moved = ConcatV2(kept, step, 2) {T, N=2}
  scores = Sum(Mul(moved, times), [2])
  sum = Sum(Reshape(scores, [D0_0, -1, rank]), [2])
  sum = BiasAdd(sum, bias) if bias
  sum = Relu(sum) if fused_activation_function == "RELU"
  sum

# Of MediaPipe. Its options are numbers of 4 bytes: padding, strides, sizes.
Convolution2DTransposeBias(x, filter, bias) if raw_0 in [1, 2]:
  kernel = Transpose(filter, [1, 2, 0, 3])
  shape = [DO_0, DO_1, DO_2, DO_3]
  conv = Conv2DBackpropInput(shape, kernel, x) {T, strides=[1, raw_2, raw_1, 1],
                                                padding="SAME"} if raw_0 == 1
  conv = Conv2DBackpropInput(shape, kernel, x) {T, strides=[1, raw_2, raw_1, 1],
                                                padding="VALID"} if raw_0 == 2
  conv = BiasAdd(conv, bias)
  conv

MaxPoolingWithArgmax2D(x) if raw_0 == 1:
  pool, index = MaxPoolWithArgmax(x) {T, ksize=[1, raw_4, raw_3, 1], strides=[1, raw_2, raw_1, 1],
                                      padding="SAME"}
  place = Cast(index) {SrcT=int64, DstT=O1}
  pool, place

MaxPoolingWithArgmax2D(x) if raw_0 == 2:
  pool, index = MaxPoolWithArgmax(x) {T, ksize=[1, raw_4, raw_3, 1], strides=[1, raw_2, raw_1, 1],
                                      padding="VALID"}
  place = Cast(index) {SrcT=int64, DstT=O1}
  pool, place

AudioSpectrogram(x):
  AudioSpectrogram(x) {window_size, stride, magnitude_squared}

Mfcc(spectrogram, sample_rate):
  Mfcc(spectrogram, sample_rate) {upper_frequency_limit, lower_frequency_limit,
                                  filterbank_channel_count, dct_coefficient_count}

scaled(code, scale, size):
  Mul(RealDiv(code, scale), size)

# Boxes of the best class of each anchor, the first of those that overlap; then zeros.
TFLite_Detection_PostProcess(encodings, scores, anchors)
    if !use_regular_nms and max_classes_per_detection == 1 and D0_0 == 1:
  cy, cx, ch, cw = Unpack(Reshape(encodings, [-1, 4])) {T, num=4, axis=1}
  ay, ax, ah, aw = Unpack(anchors) {T, num=4, axis=1}
  y = AddV2(scaled(cy, y_scale, ah), ay)
  x = AddV2(scaled(cx, x_scale, aw), ax)
  half_h = Mul(Mul(Exp(RealDiv(ch, h_scale)), ah), 0.5)
  half_w = Mul(Mul(Exp(RealDiv(cw, w_scale)), aw), 0.5)
  boxes = Pack(Sub(y, half_h), Sub(x, half_w), AddV2(y, half_h), AddV2(x, half_w)) {T, N=4, axis=1}
  rows = Reshape(scores, [-1, D1_2])
  of_classes = Slice(rows, [0, label_offset], [-1, -1]) {T, Index=int32}
  best = Max(of_classes, 1)
  class = Cast(ArgMax(of_classes, 1)) {SrcT=int64, DstT=float32}
  chosen, valid = NonMaxSuppressionV4(boxes, best, max_detections, nms_iou_threshold,
                                      nms_score_threshold) {T, pad_to_max_output_size=true}
  places = Range(0, max_detections, 1) {Tidx=int32}
  is_box = Cast(Less(places, valid) {T=int32}) {SrcT=bool, DstT=float32}
  box = GatherV2(boxes, chosen, 0) {Tparams=float32, Tindices=int32, Taxis=int32}
  box = ExpandDims(Mul(box, ExpandDims(is_box, 1)), 0)
  label = GatherV2(class, chosen, 0) {Tparams=float32, Tindices=int32, Taxis=int32}
  label = ExpandDims(Mul(label, is_box), 0)
  score = GatherV2(best, chosen, 0) {Tparams=float32, Tindices=int32, Taxis=int32}
  score = ExpandDims(Mul(score, is_box), 0)
  count = ExpandDims(Cast(valid) {SrcT=int32, DstT=float32}, 0)
  box, label, score, count

MaxUnpooling2D(x, place) if D0_0 == 1:
  index = Cast(place) {SrcT=T1, DstT=int32}
  index = Reshape(index, [-1, 1]) {T=int32}
  spread = ScatterNd(index, Reshape(x, [-1]), [out_count]) {T, Tindices=int32}
  Reshape(spread, [DO_0, DO_1, DO_2, DO_3])
)";

}  // namespace cryo
