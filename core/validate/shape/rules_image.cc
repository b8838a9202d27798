#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

// Images of a size that an input has: [rows, columns].
bool give_images(ShapeCall& call, size_t size_input, int64_t count, int64_t depth) {
  if (!call.rank(call.input(size_input), 1) || !call.has_size(size_input, 0, 2)) return false;
  const auto size = call.values().ints(size_input);
  Shape out{false, {count, kUnknownDim, kUnknownDim, depth}};
  for (size_t i = 0; size && i < size->values.size(); ++i) {
    if (size->values[i] >= 0) out.dims[i + 1] = size->values[i];
  }
  call.output(std::move(out));
  return true;
}

}  // namespace

// ResizeBilinear(images, size), and its likes.
bool resize(ShapeCall& call) {
  const Shape& in = call.input(0);
  return call.rank(in, 4) && give_images(call, 1, dim_of(in, 0), dim_of(in, 3));
}

// CropAndResize(image, boxes, box_ind, crop_size): an image of each box.
bool crop_and_resize(ShapeCall& call) {
  const Shape& boxes = call.input(1);
  int64_t count = kUnknownDim;
  return call.rank(call.input(0), 4) && call.rank(boxes, 2) && call.rank(call.input(2), 1) &&
         call.merge_dims(dim_of(boxes, 0), dim_of(call.input(2), 0), count) &&
         call.has_size(1, 1, 4) && give_images(call, 3, count, dim_of(call.input(0), 3));
}

// ExtractImagePatches: how large the windows are and how far they move, for all four dimensions.
bool image_patches(ShapeCall& call) {
  if (!call.rank(call.input(0), 4)) return false;
  for (const std::string_view attr : {"ksizes", "strides", "rates"}) {
    const size_t given = call.ints_attr(attr).size();
    if (given == 4) continue;
    return call.fail(call.op().name, " requires the ", attr,
                     " attribute to contain 4 values, but got: ", given);
  }
  const auto windows = call.ints_attr("ksizes");
  const int64_t depth = product_of(dim_of(call.input(0), 3), product_of(windows[1], windows[2]));
  call.output({false, {dim_of(call.input(0), 0), kUnknownDim, kUnknownDim, depth}});
  return true;
}

}  // namespace cryo::rules
