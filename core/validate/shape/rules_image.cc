#include "validate/shape/shape_rules.h"

namespace cryo::rules {

// ResizeBilinear(images, size), and its likes: size is [rows, columns].
bool resize(ShapeCall& call) {
  const Shape& in = call.input(0);
  if (!call.rank(in, 4) || !call.rank(call.input(1), 1) || !call.has_size(1, 0, 2)) return false;
  const auto size = call.values().ints(1);
  Shape out{false, {dim_of(in, 0), kUnknownDim, kUnknownDim, dim_of(in, 3)}};
  for (size_t i = 0; size && i < size->values.size(); ++i) {
    if (size->values[i] >= 0) out.dims[i + 1] = size->values[i];
  }
  call.output(std::move(out));
  return true;
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
