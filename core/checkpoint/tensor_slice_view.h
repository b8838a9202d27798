#pragma once

#include <string>

#include "tensor/content.h"

namespace cryo {

// Returns the part of a tensor that SaveV2's shape_and_slices names ("10 20 0,5:0,20": of a [10,20]
// tensor, rows 0 to 4), as pieces of it; nothing is read. Beyond kMaxStrips (strided_runs.h) pieces
// it is one piece of a source that gathers the bytes while they are read.
//
// Fails if the specification is malformed, if it does not fit the tensor, or if the tensor's
// elements have no fixed size. Source: tensorflow/core/util/saved_tensor_slice_util.h,
// ParseShapeAndSlice.
Result<Tensor> sub_box(const Tensor& whole, const std::string& specification);

}  // namespace cryo
