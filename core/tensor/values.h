#pragma once

#include <string_view>

#include "base/result.h"
#include "bytes/splice.h"
#include "tensor/content.h"
#include "wire/payloads.h"

namespace cryo {

// The plain content of a tensor of a fixed-size type (its dtype, shape and count are set) from the
// typed list of an elided TensorProto (float_val, int_val, ...): records and packed chunks in the
// order they come in, surplus ignored, the last value repeated, zeros where there is none.
//
//     list        00 00 80 3F | 00 00 00 40     float_val 1, 2
//     float[2]    00 00 80 3F | 00 00 00 40     the list's own slice
//     float[4]    00 00 80 3F | 00 00 00 40 | 00 00 00 40 | 00 00 00 40     the last repeats
Result<Splice> read_values(std::string_view skeleton, const Payloads& payloads,
                           const Tensor& tensor);

}  // namespace cryo
