#pragma once

#include <string_view>

#include "base/result.h"
#include "tensor/content.h"

namespace cryo {

// Returns the type in which TensorFlow.js stores a tensor: it computes with float32, int32, bool,
// complex64 and string alone.
//
//     float16, float64             float32
//     int8, uint8, int64           int32
//     complex128                   complex64
//
// Fails with "unsupported-dtype" if it has no type for it, or if that does not hold every value.
// `node`: the constant's. `compared`: bytes, of all tensors of a model; values of more than 256 MB
// are not compared, and not taken.
Result<DType> tfjs_type(const Tensor& tensor, std::string_view node, uint64_t& compared);

}  // namespace cryo
