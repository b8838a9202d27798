#include "compat/opencv_rules.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/reference.h"
#include "graph/attr_value.h"

namespace cryo {
namespace {

constexpr size_t kSliceBounds = 3;  // constants of the StridedSlice that gives the batch
// Bounds of what is looked through around a node, which a hostile graph would ask for often.
constexpr int kMaxFollowed = 64;
constexpr size_t kMaxInputs = 5;  // FusedBatchNorm has them

constexpr std::string_view kElementwise[] = {"Add",     "BiasAdd", "Sub",   "Mul",
                                             "RealDiv", "Relu",    "Relu6", "LeakyRelu",
                                             "Elu",     "Sigmoid", "Tanh",  "FusedBatchNorm"};
constexpr std::string_view kConvolutions[] = {"Conv2D", "DepthwiseConv2dNative", "Conv3D",
                                              "Conv2DBackpropInput"};

bool is_matmul(std::string_view op) { return op == "MatMul" || op == "BatchMatMul"; }

std::vector<int64_t> int_list(const Node& node, std::string_view attr) {
  const auto value = find_attr(node, attr);
  return value ? AttrValue(*value).integers() : std::vector<int64_t>();
}

// Windows and steps are 1 along batch and channels.
bool is_spatial(OpencvCall& call, std::string_view attr) {
  if (!find_attr(call.definition(), attr)) return true;
  const std::vector<int64_t> sizes = int_list(call.definition(), attr);
  const std::string_view format = string_attr(call.definition(), "data_format").value_or("");
  const size_t channel = format == "NCHW" ? 1 : format == "NDHWC" ? 4 : 3;
  const bool has_axes = sizes.size() == 4 || sizes.size() == 5;
  if (has_axes && sizes[0] == 1 && channel < sizes.size() && sizes[channel] == 1) return true;
  return call.fail("attribute '", attr, "' is not 1 along batch and channels");
}

bool check_bias(OpencvCall& call) {
  const auto sum = opencv_bias_of(call);
  if (!sum) return true;
  OpencvCall bias(call.graph(), *sum);
  const bool is_small = bias.inputs().size() <= kMaxInputs;
  const std::vector<size_t> values = is_small ? bias.constants() : std::vector<size_t>();
  if (values.size() != 1) {
    return call.fail("it is added to no constant, by ", bias.definition().name);
  }
  if (bias.is_weights(values[0])) return true;
  return call.fail("of ", bias.definition().name, ", which becomes a part: ", bias.fault());
}

bool check_sum(OpencvCall& call) {
  const std::vector<size_t> values = call.constants();
  if (values.empty()) return true;
  if (values.size() > 1) return call.fail("both inputs are constants");
  return call.has_inputs(2) && call.is_floats(values[0]);
}

bool check_product(OpencvCall& call) {
  const std::vector<size_t> values = call.constants();
  if (!call.has_inputs(2)) return false;
  if (values.empty()) return true;
  if (values.size() > 1) return call.fail("both inputs are constants");
  if (call.op() == "RealDiv" && values[0] == 0) return call.fail("the dividend is a constant");
  return call.is_floats(values[0]) && check_bias(call);
}

bool check_matmul(OpencvCall& call) {
  const std::vector<size_t> values = call.constants();
  if (!call.has_inputs(2)) return false;
  if (values.empty()) return true;
  if (values.size() > 1) return call.fail("both inputs are constants");
  return call.is_weights(values[0]) && check_bias(call);
}

// The sum that becomes a part has an element for each output.
bool fits_bias(OpencvCall& call) {
  const auto sum = opencv_bias_of(call);
  if (!sum) return true;
  const OpencvCall bias(call.graph(), *sum);
  const uint64_t added = bias.constant(bias.constants()[0]).elements;
  const size_t weights = call.constants()[0];
  const std::vector<int64_t>& sizes = call.constant(weights).shape.dims;
  if (sizes.size() != 2 || added == static_cast<uint64_t>(sizes[weights])) return true;
  return call.fail(bias.definition().name, ", which becomes a part, adds ",
                   plural(added, "element"), " to ", sizes[weights]);
}

bool check_convolution(OpencvCall& call) {
  const std::vector<size_t> values = call.constants();
  if (values.empty()) return call.fail("its filter is no constant");
  if (values.size() > 1) return call.fail("both inputs are constants");
  if (call.readers("BatchToSpaceND").size() > 1) return call.fail("two BatchToSpaceND read it");
  return call.is_floats(values[0]) && call.is_weights(values[0]) && is_spatial(call, "strides") &&
         check_bias(call);
}

bool check_deconvolution(OpencvCall& call) {
  return call.has_inputs(3) && call.is_numbers(0) && call.is_floats(1) && call.is_weights(1) &&
         is_spatial(call, "strides") && check_bias(call);
}

std::vector<uint32_t> convolutions_of(const OpencvCall& call) {
  std::vector<uint32_t> found = call.readers("Conv2D");
  return found.empty() ? call.readers("DepthwiseConv2dNative") : found;
}

bool check_dilation(OpencvCall& call) {
  if (convolutions_of(call).size() != 1) return call.fail("not one convolution reads it");
  return call.has_inputs(3) && call.is_integers(1, 2) && call.is_integers(2);
}

// Even padding becomes a part of the convolution that reads it.
bool check_padding(OpencvCall& call) {
  if (!call.is_integers(1)) return false;
  const std::vector<int64_t>& sizes = call.constant(1).numbers;
  const bool is_even = sizes.size() == 8 && sizes[2] == sizes[3] && sizes[4] == sizes[5];
  if (call.op() != "Pad" || !is_even || convolutions_of(call).size() < 2) return true;
  return call.fail("more than one convolution reads it");
}

bool check_slope(OpencvCall& call) { return call.has_attr("alpha"); }

// Without the attribute it takes a volume for an image.
bool is_volume(OpencvCall& call) { return call.has_attr("data_format"); }

bool check_pool(OpencvCall& call) {
  return is_spatial(call, "ksize") && is_spatial(call, "strides");
}

// Returns true if a tensor has the layout of a product with a matrix: it, or what computes element
// by element with it.
bool is_planar(const OpencvGraph& graph, uint32_t node) {
  for (int steps = 0; steps < kMaxFollowed && node != kNoNode; ++steps) {
    const OpencvCall call(graph, node);
    if (call.inputs().size() > kMaxInputs) return false;
    const std::vector<size_t> values = call.constants();
    if (is_matmul(call.op())) return !values.empty();
    const bool is_bias = call.op() == "BiasAdd";
    if (find_attr(call.definition(), "data_format") && !is_bias) return false;
    if (!is_one_of(call.op(), kElementwise) || call.inputs().empty()) return false;
    const bool is_second = !values.empty() && values[0] == 0 && call.inputs().size() > 1;
    node = call.inputs()[is_second ? 1 : 0].node;
  }
  return false;
}

// Returns the sizes that a Reshape gives, also one of a pattern: those of Keras are constants each.
std::vector<int64_t> new_sizes(const OpencvCall& call) {
  if (call.has_constant(1)) return call.constant(1).numbers;
  std::vector<int64_t> sizes = {-1};
  const std::vector<uint32_t>& values = call.pattern_values();
  for (size_t i = kSliceBounds; i < values.size(); ++i) {
    const std::vector<int64_t>& size = call.graph().constant(values[i]).numbers;
    sizes.push_back(size.empty() ? -1 : size[0]);
  }
  return sizes;
}

// It moves the axes of an image that is made of a matrix, and who reads it gets the one before.
bool fits_layout(OpencvCall& call) {
  const std::vector<int64_t> sizes = new_sizes(call);
  const auto is_one = [](int64_t size) { return size == 1 || size == -1; };
  if (sizes.size() != 4 || (is_one(sizes[0]) && is_one(sizes[1]))) return true;
  return is_planar(call.graph(), call.inputs()[0].node)
             ? call.fail("it makes an image of a matrix product")
             : true;
}

bool check_reshape(OpencvCall& call) { return !call.has_constant(1) || call.is_integers(1); }

// It needs the shape of the input, and infers it from a placeholder's.
bool check_expand(OpencvCall& call) {
  if (call.graph().has_shaped_input()) return call.is_axis(1);
  call.set_fix(call.graph().has_shaped_batch() ? "edit with " OPTION("--batch", "1")
                                               : "edit with " OPTION("--placeholder", "NAME=KIND"));
  return call.fail("no placeholder has a known shape");
}

bool check_squeeze(OpencvCall& call) {
  std::vector<int64_t> axes = int_list(call.definition(), "squeeze_dims");
  if (axes.empty()) return call.fail("it names no axes");
  std::sort(axes.begin(), axes.end());
  const auto has_gap = [](int64_t one, int64_t next) { return next != one + 1; };
  if (std::adjacent_find(axes.begin(), axes.end(), has_gap) == axes.end()) return true;
  return call.fail("its axes do not follow each other");
}

bool check_transpose(OpencvCall& call) { return call.is_integers(1); }

bool check_concat(OpencvCall& call) {
  if (call.inputs().empty()) return call.has_inputs(1);
  const size_t axis = call.op() == "Concat" ? 0 : call.inputs().size() - 1;
  if (!call.is_axis(axis)) return false;
  const std::vector<size_t> values = call.constants();
  return std::all_of(values.begin(), values.end(),
                     [&](size_t each) { return each == axis || call.is_weights(each); });
}

bool check_split(OpencvCall& call) {
  return call.has_inputs(2) && call.has_attr("num_split") && call.is_axis(0);
}

bool check_slice(OpencvCall& call) {
  return call.has_inputs(3) && call.is_integers(1) && call.is_integers(2);
}

bool check_strided_slice(OpencvCall& call) {
  if (!call.has_inputs(4) || !call.has_attr("end_mask") || !call.is_integers(1)) return false;
  const uint64_t bounds = call.constant(1).stored;
  if (!call.is_integers(2, bounds) || !call.is_integers(3, bounds)) return false;
  return !call.has_constant(0) || call.is_numbers(0);
}

// A scale that is not stored as bytes is taken for ones, an offset for zeros.
bool is_scale(OpencvCall& call, size_t place) {
  if (!call.has_constant(place)) return call.fail("input ", place, " is no constant");
  return !call.constant(place).in_content || call.is_weights(place);
}

bool check_batch_norm(OpencvCall& call) {
  if (!call.has_inputs(5) || !is_scale(call, 1) || !is_scale(call, 2)) return false;
  const bool is_training = bool_attr(call.definition(), "is_training").value_or(false);
  return is_training || (call.is_weights(3) && call.is_weights(4));
}

bool check_resize(OpencvCall& call) { return call.has_inputs(2) && call.is_integers(1, 2); }

bool check_resized_convolution(OpencvCall& call) {
  return call.has_inputs(4) && call.is_integers(1, 2) && call.is_integers(2) && call.is_floats(3) &&
         call.is_weights(3);
}

bool check_reduction(OpencvCall& call) {
  if (!call.is_integers(1)) return false;
  const OpencvConstant& axes = call.constant(1);
  if (axes.numbers == std::vector<int64_t>{1, 2}) return true;
  if (axes.stored != 1) return call.fail("its axes are not one, or [1,2]");
  const bool is_known = !axes.numbers.empty() && axes.numbers[0] >= -4 && axes.numbers[0] < 4;
  return is_known ? true : call.fail("its axis is not one of four");
}

// It pools along one axis of an image, and moves the axes back if the node does not keep it.
bool fits_image(OpencvCall& call) {
  const auto keeps = bool_attr(call.definition(), "keep_dims");
  if (bool_attr(call.definition(), "keepdims").value_or(keeps.value_or(false))) return true;
  const std::vector<int64_t>& axes = call.constant(1).numbers;
  const size_t rank = call.rank(0).value_or(4);
  if (axes.size() != 1 || axes[0] == 0 || rank == 4) return true;
  return call.fail("its input has rank ", rank, ", not 4");
}

bool check_pack(OpencvCall& call) {
  if (int_attr(call.definition(), "axis") != 0) return call.fail("its axis is not 0");
  return call.has_attr("N");
}

bool check_clip(OpencvCall& call) {
  if (!call.has_inputs(3) || !call.is_floats(1) || !call.is_floats(2)) return false;
  for (size_t place = 1; place < 3; ++place) {
    if (call.constant(place).stored != 1) return call.fail("input ", place, " is no single number");
  }
  return true;
}

bool check_arg(OpencvCall& call) { return call.inputs().size() < 2 || call.is_integers(1, 1); }

bool check_crop(OpencvCall& call) { return call.has_inputs(3) && call.is_integers(2, 2); }

bool check_lstm(OpencvCall& call) {
  return call.has_inputs(9) && call.is_weights(2) && call.is_weights(3) && call.is_weights(4) &&
         call.is_weights(8);
}

// It reads all branches as if they were the first.
bool check_merge(OpencvCall& call) { return call.fail("it would take the first branch always"); }

bool check_no_op(OpencvCall& call) {
  return call.inputs().empty() ? call.fail("it has no inputs") : true;
}

// An op of no rule: its constants are read.
bool check_constants(OpencvCall& call) {
  const std::vector<size_t> values = call.constants();
  return std::all_of(values.begin(), values.end(),
                     [&](size_t each) { return call.is_numbers(each); });
}

struct NamedRule {
  std::string_view op;
  OpencvRule rule;
};

constexpr OpencvRule kNeverRefuses = {};

constexpr NamedRule kOpsRules[] = {
    {"Abs", kNeverRefuses},
    {"Add", {check_sum, OpencvData::kAny}},
    {"AddN", {check_sum, OpencvData::kAll}},
    {"ArgMax", {check_arg}},
    {"ArgMin", {check_arg}},
    {"AvgPool", {check_pool}},
    {"AvgPool3D", {check_pool, OpencvData::kFirst, false, is_volume}},
    {"BatchMatMul", {check_matmul, OpencvData::kAny, true, fits_bias}},
    {"BiasAdd", {check_sum, OpencvData::kAny}},
    {"BlockLSTM", {check_lstm, OpencvData::kSecond}},
    {"ClipByValue", {check_clip}},
    {"Concat", {check_concat, OpencvData::kAny}},
    {"ConcatV2", {check_concat, OpencvData::kAny}},
    {"Conv2D", {check_convolution}},
    {"Conv2DBackpropInput", {check_deconvolution, OpencvData::kThird}},
    {"Conv3D", {check_convolution, OpencvData::kFirst, false, is_volume}},
    {"CropAndResize", {check_crop}},
    {"DepthwiseConv2dNative", {check_convolution}},
    {"Elu", kNeverRefuses},
    {"Exp", kNeverRefuses},
    {"ExpandDims", {check_expand}},
    {"FusedBatchNorm", {check_batch_norm}},
    {"FusedBatchNormV3", {check_batch_norm}},
    {"FusedResizeAndPadConv2D", {check_resized_convolution}},
    {"LRN", kNeverRefuses},
    {"LeakyRelu", {check_slope}},
    {"MatMul", {check_matmul, OpencvData::kAny, true, fits_bias}},
    {"Max", {check_reduction, OpencvData::kFirst, false, fits_image}},
    {"MaxPool", {check_pool}},
    {"MaxPool3D", {check_pool, OpencvData::kFirst, false, is_volume}},
    {"MaxPoolGrad", kNeverRefuses},
    {"Mean", {check_reduction, OpencvData::kFirst, false, fits_image}},
    {"Merge", {check_merge}},
    {"MirrorPad", {check_padding}},
    {"Mul", {check_product, OpencvData::kAny}},
    {"NoOp", {check_no_op, OpencvData::kAny}},
    {"Pack", {check_pack, OpencvData::kAll}},
    {"Pad", {check_padding}},
    {"RealDiv", {check_product, OpencvData::kAny}},
    {"Relu", kNeverRefuses},
    {"Relu6", kNeverRefuses},
    {"Reshape", {check_reshape, OpencvData::kFirst, true, fits_layout}},
    {"ResizeBilinear", {check_resize}},
    {"ResizeNearestNeighbor", {check_resize}},
    {"Sigmoid", kNeverRefuses},
    {"Slice", {check_slice}},
    {"Softmax", kNeverRefuses},
    {"SpaceToBatchND", {check_dilation}},
    {"Split", {check_split, OpencvData::kSecond}},
    {"Square", kNeverRefuses},
    {"Squeeze", {check_squeeze}},
    {"StridedSlice", {check_strided_slice, OpencvData::kAny}},
    {"Sub", {check_sum, OpencvData::kAny}},
    {"Sum", {check_reduction, OpencvData::kFirst, false, fits_image}},
    {"Tanh", kNeverRefuses},
    {"Transpose", {check_transpose}},
};

const OpencvRule* find_rule(std::string_view op) {
  const auto* found = std::find_if(std::begin(kOpsRules), std::end(kOpsRules),
                                   [&](const NamedRule& each) { return each.op == op; });
  return found == std::end(kOpsRules) ? nullptr : &found->rule;
}

}  // namespace

const OpencvRule& opencv_rule(std::string_view op) {
  static constexpr OpencvRule kOther = {check_constants, OpencvData::kAny, true};
  const OpencvRule* rule = find_rule(op);
  return rule == nullptr ? kOther : *rule;
}

bool has_opencv_rule(std::string_view op) { return find_rule(op) != nullptr; }

bool needs_opencv_rank(std::string_view op) { return opencv_rule(op).fits == fits_image; }

std::optional<uint32_t> opencv_bias_of(const OpencvCall& call) {
  const std::vector<size_t> values = call.constants();
  if (values.empty()) return std::nullopt;
  if (call.op() == "Mul" || call.op() == "RealDiv") {
    if (call.constant(values[0]).stored < 2) return std::nullopt;
    const std::vector<uint32_t> sums = call.readers("Add");
    return sums.empty() ? std::nullopt : std::optional(sums[0]);
  }
  if (!is_matmul(call.op()) && !is_one_of(call.op(), kConvolutions)) return std::nullopt;
  std::vector<uint32_t> sums = call.readers("BiasAdd");
  if (sums.empty() && is_matmul(call.op())) sums = call.readers("Add");
  return sums.size() == 1 ? std::optional(sums[0]) : std::nullopt;
}

}  // namespace cryo
