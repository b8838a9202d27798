#pragma once

#include <string>

#include "tensor/content.h"

namespace cryo {

// The part of a whole tensor that SaveV2's shape_and_slices names ("10 20 0,5:0,20": of a [10,20]
// tensor, rows 0 to 4), as pieces of it; nothing is read. Beyond kMaxStrips (strided_runs.h) pieces it is
// one piece of a source that picks the bytes out as they are read. Format:
// tensorflow/core/util/saved_tensor_slice_util.h, ParseShapeAndSlice. Fails where the specification
// is not one, does not fit the tensor, or the tensor's elements have no fixed size.
Result<Tensor> sub_box(const Tensor& whole, const std::string& specification);

}  // namespace cryo
