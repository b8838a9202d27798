#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

bool channels_first(ShapeCall& call) { return call.text_attr("data_format").starts_with("NC"); }

// Beyond this a size is not worked out.
constexpr int64_t kMaxTaps = int64_t{1} << 30;

// Returns true if the format of an image op is one of these. For other formats nothing is inferred.
bool plain_format(ShapeCall& call) {
  const std::string_view format = call.text_attr("data_format");
  for (const std::string_view known : {"", "NHWC", "NCHW", "NDHWC", "NCDHW"}) {
    if (format == known) return true;
  }
  return false;
}

// The positions of dimensions in an image's shape, batch and channels among them.
struct Layout {
  Layout(ShapeCall& call, size_t dims)
      : rank(dims), first(channels_first(call) ? 2 : 1), channels(first == 2 ? 1 : dims - 1) {}
  size_t rank;
  size_t first;  // of the axes that windows move along
  size_t channels;
  size_t axes() const { return rank - 2; }
};

// `explicit_paddings`: two sizes a dimension, none at the batch and the channels, and only with the
// padding EXPLICIT. Source: common_shape_fns.cc, CheckValidPadding.
bool paddings_fit(ShapeCall& call, const Layout& layout) {
  const std::vector<int64_t> given = call.ints_attr("explicit_paddings");
  if (call.text_attr("padding") != "EXPLICIT") {
    return given.empty() || call.fail(
                                "explicit_paddings attribute must be empty if the padding "
                                "attribute is not EXPLICIT");
  }
  if (given.size() != 2 * layout.rank) {
    return call.fail("explicit_paddings attribute must contain ", 2 * layout.rank,
                     " values, but got: ", given.size());
  }
  for (const int64_t padding : given) {
    if (padding < 0) return call.fail("All elements of explicit_paddings must be nonnegative");
  }
  for (const size_t place : {size_t{0}, layout.channels}) {
    if (given[2 * place] == 0 && given[2 * place + 1] == 0) continue;
    return call.fail("Nonzero explicit padding in the batch or depth dimensions is not supported");
  }
  return true;
}

// How often a window fits along one dimension.
bool windows(ShapeCall& call, int64_t size, int64_t window, int64_t stride, int64_t& count) {
  if (stride <= 0) return call.fail("Stride must be > 0, but got ", stride);
  const std::string_view padding = call.text_attr("padding");
  count = kUnknownDim;
  if (size == kUnknownDim || window <= 0) return true;
  if (padding == "SAME") count = size == 0 ? 0 : (size - 1) / stride + 1;
  if (padding != "VALID") return true;
  if (size < window) {
    return call.fail("Negative dimension size caused by subtracting ", window, " from ", size);
  }
  count = (size - window) / stride + 1;
  return true;
}

bool has_as_many(ShapeCall& call, const Layout& layout, std::string_view what, size_t given) {
  if (given == layout.rank) return true;
  return call.fail(call.op().name, " requires the ", what, " attribute to contain ", layout.rank,
                   " values, but got: ", given);
}

// The channels of the image against those of the filter; groups of channels are allowed.
bool channels_fit(ShapeCall& call, int64_t channels, const Shape& filter) {
  const int64_t taken = dim_of(filter, -2);
  const int64_t made = dim_of(filter, -1);
  if (channels == kUnknownDim || taken == kUnknownDim) return true;
  if (taken == 0 || channels % taken != 0) {
    return call.fail("Depth of input (", channels, ") is not a multiple of input depth of filter (",
                     taken, ")");
  }
  const int64_t groups = channels / taken;
  if (groups > 0 && made != kUnknownDim && made % groups != 0) {
    return call.fail("Depth of output (", made, ") is not a multiple of the number of groups (",
                     groups, ")");
  }
  return true;
}

}  // namespace

bool bias_add(ShapeCall& call) {
  const bool first = channels_first(call);
  const Shape& in = call.input(0);
  if (!call.rank_at_least(in, first ? 3 : 2) || !call.rank(call.input(1), 1)) return false;
  if (in.unknown_rank) return true;
  const size_t place = first ? 1 : in.dims.size() - 1;
  Shape out = in;
  const int64_t bias = dim_of(call.input(1), 0);
  if (!call.merge_dims(in.dims[place], bias, out.dims[place])) return false;
  call.output(std::move(out));
  return true;
}

// DepthToSpace, SpaceToDepth: blocks of rows and columns that are channels on the other side.
bool depth_and_space(ShapeCall& call) {
  const auto block = call.int_attr("block_size");
  if (!plain_format(call) || !block) return true;
  if (!call.rank(call.input(0), 4)) return false;
  if (call.input(0).unknown_rank) return true;
  const Layout layout(call, 4);
  const bool to_space = call.op().name == "DepthToSpace";
  Shape out = call.input(0);
  const auto resize = [&](int64_t& size, int64_t by, bool grows) {
    if (!grows) return call.divide(size, by, size);
    size = product_of(size, by);
    return true;
  };
  for (size_t axis = 0; axis < layout.axes(); ++axis) {
    if (!resize(out.dims[layout.first + axis], *block, to_space)) return false;
  }
  if (!resize(out.dims[layout.channels], product_of(*block, *block), !to_space)) return false;
  call.output(std::move(out));
  return true;
}

// Conv2D, Conv3D: the filter is [rows, columns, channels taken, channels made].
bool conv(ShapeCall& call) {
  if (!plain_format(call)) return true;
  const Shape& in = call.input(0);
  const Shape& filter = call.input(1);
  const Layout layout(call, call.op().name == "Conv2D" ? 4 : 5);
  const auto strides = call.ints_attr("strides");
  const auto dilations = call.ints_attr("dilations");
  if (!has_as_many(call, layout, "stride", strides.size())) return false;
  if (!has_as_many(call, layout, "dilation", dilations.size())) return false;
  if (!paddings_fit(call, layout)) return false;
  if (!channels_fit(call, dim_of(in, static_cast<int64_t>(layout.channels)), filter)) return false;
  Shape out = unknown_dims(layout.rank);
  out.dims[0] = dim_of(in, 0);
  out.dims[layout.channels] = dim_of(filter, -1);
  for (size_t axis = 0; axis < layout.axes(); ++axis) {
    const size_t at = layout.first + axis;
    const int64_t dilation = dilations[at];
    const int64_t taps = dim_of(filter, static_cast<int64_t>(axis));
    const bool known = taps > 0 && taps < kMaxTaps && dilation > 0 && dilation < kMaxTaps;
    const int64_t window = known ? (taps - 1) * dilation + 1 : kUnknownDim;
    const int64_t size = dim_of(in, static_cast<int64_t>(at));
    if (!windows(call, size, window, strides[at], out.dims[at])) return false;
  }
  call.output(std::move(out));
  return true;
}

// Conv2DBackpropInput(sizes, filter, gradient): the image that a convolution took, with the given
// sizes: all four, or rows and columns alone.
bool conv_back(ShapeCall& call) {
  if (!plain_format(call)) return true;
  const Shape& filter = call.input(1);
  const Shape& gradient = call.input(2);
  if (!call.rank(gradient, 4) || !call.rank(filter, 4)) return false;
  const Layout layout(call, 4);
  int64_t merged = 0;
  const int64_t channels = dim_of(gradient, static_cast<int64_t>(layout.channels));
  if (!call.merge_dims(channels, dim_of(filter, 3), merged)) return false;
  const Shape said = call.values().as_shape(0);
  Shape out = unknown_dims(4);
  out.dims[0] = dim_of(gradient, 0);
  if (said.dims.size() == 4) {
    const int64_t batch = out.dims[0];
    out = said;
    if (!call.merge_dims(said.dims[0], batch, out.dims[0])) return false;
  } else if (said.dims.size() == 2) {
    out.dims[layout.first] = said.dims[0];
    out.dims[layout.first + 1] = said.dims[1];
    out.dims[layout.channels] = dim_of(filter, 2);
  } else if (!said.unknown_rank) {
    return call.fail(
        call.op().name,
        " requires input_sizes to contain 4 values or 2 values, but got: ", said.dims.size());
  }
  call.output(std::move(out));
  return true;
}

// Gradients of convolutions and pools: the first or the second input, a vector, is their shape.
bool of_given_shape(ShapeCall& call) {
  const std::string_view op = call.op().name;
  const size_t place = op.find("BackpropFilter") != op.npos ? 1 : 0;
  Shape out = call.values().as_shape(place);
  if (!call.rank(call.input(place), 1)) return false;
  if (!call.rank(out, op.find("3D") != op.npos ? 5 : 4)) return false;
  call.output(std::move(out));
  return true;
}

// SoftmaxCrossEntropyWithLogits: matrices of one shape, or what can be broadcast to a matrix.
bool cross_entropy(ShapeCall& call) {
  Shape both;
  const Shape& logits = call.input(0);
  const bool matrix = logits.unknown_rank || logits.dims.size() == 2;
  const Shape rows = logits.unknown_rank ? unknown_dims(2) : logits;
  if (!matrix || !call.merge(rows, call.input(1), both)) {
    if (!broadcast_shapes(call, logits, call.input(1), both)) return false;
    if (both.unknown_rank || both.dims.size() != 2) {
      return call.fail("Shape must be broadcasted with rank 2, but is rank ",
                       both.unknown_rank ? std::string("unknown") : cat(both.dims.size()));
    }
  }
  call.output({false, {dim_of(both, 0)}});
  call.output(std::move(both));
  return true;
}

bool depthwise_conv_2d(ShapeCall& call) {
  if (!plain_format(call)) return true;
  const Shape& in = call.input(0);
  const Shape& filter = call.input(1);
  const Layout layout(call, 4);
  const auto dilations = call.ints_attr("dilations");
  if (!has_as_many(call, layout, "stride", call.ints_attr("strides").size())) return false;
  if (!has_as_many(call, layout, "dilations", dilations.size())) return false;
  if (!paddings_fit(call, layout)) return false;
  int64_t channels = dim_of(in, static_cast<int64_t>(layout.channels));
  if (!call.merge_dims(channels, dim_of(filter, 2), channels)) return false;
  Shape out = unknown_dims(layout.rank);
  out.dims[0] = dim_of(in, 0);
  call.output(std::move(out));
  return true;
}

// AvgPool, MaxPool, and those in three dimensions.
bool pool(ShapeCall& call) {
  if (!plain_format(call)) return true;
  const Shape& in = call.input(0);
  const Layout layout(call, call.op().name.ends_with("3D") ? 5 : 4);
  if (!call.rank(in, layout.rank)) return false;
  const auto strides = call.ints_attr("strides");
  const auto ksize = call.ints_attr("ksize");
  if (!has_as_many(call, layout, "stride", strides.size())) return false;
  if (!has_as_many(call, layout, "ksize", ksize.size())) return false;
  Shape out = unknown_dims(layout.rank);
  out.dims[0] = dim_of(in, 0);
  if (ksize[layout.channels] == 1) {
    out.dims[layout.channels] = dim_of(in, static_cast<int64_t>(layout.channels));
  }
  for (size_t axis = 0; axis < layout.axes(); ++axis) {
    const size_t at = layout.first + axis;
    const int64_t size = dim_of(in, static_cast<int64_t>(at));
    if (!windows(call, size, ksize[at], strides[at], out.dims[at])) return false;
  }
  call.output(std::move(out));
  return true;
}

// FusedBatchNorm: scale, offset, mean and variance have a number a channel.
bool batch_norm(ShapeCall& call) {
  const Shape& in = call.input(0);
  const std::string_view format = call.text_attr("data_format");
  if (format != "NHWC" && format != "NCHW") return true;
  if (!call.rank(in, 4)) return false;
  const bool first = format == "NCHW";
  int64_t channels = dim_of(in, first ? 1 : 3);
  const size_t last = call.flag("is_training") ? 3 : 5;
  for (size_t i = 1; i < last && i < call.size(); ++i) {
    if (!call.rank(call.input(i), 1)) return false;
    if (!call.merge_dims(channels, dim_of(call.input(i), 0), channels)) return false;
  }
  Shape out = in;
  if (out.unknown_rank) out = unknown_dims(4);
  out.dims[first ? 1 : 3] = channels;
  call.output(std::move(out));
  for (int i = 0; i < 4; ++i) call.output({false, {channels}});
  return true;
}

// FusedBatchNormGrad(y_backprop, x, scale, mean, variance): the last two of five outputs are empty.
bool batch_norm_grad(ShapeCall& call) {
  const std::string_view format = call.text_attr("data_format");
  const size_t rank = format.find('D') != format.npos ? 5 : 4;  // NDHWC, NCDHW
  const size_t place = format.starts_with("NC") ? 1 : rank - 1;
  if (!call.rank(call.input(0), rank) || !call.rank(call.input(1), rank)) return false;
  const auto at = static_cast<int64_t>(place);
  int64_t channels = 0;
  if (!call.merge_dims(dim_of(call.input(0), at), dim_of(call.input(1), at), channels))
    return false;
  for (size_t i = 2; i < 5; ++i) {
    if (!call.rank(call.input(i), 1)) return false;
    if (!call.merge_dims(channels, dim_of(call.input(i), 0), channels)) return false;
  }
  Shape image = call.input(0).unknown_rank ? unknown_dims(rank) : call.input(0);
  image.dims[place] = channels;
  call.output(std::move(image));
  call.output({false, {channels}});
  call.output({false, {channels}});
  call.output({false, {0}});
  call.output({false, {0}});
  return true;
}

}  // namespace cryo::rules
