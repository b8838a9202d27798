#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "bytes/splice.h"
#include "tensor/content.h"
#include "wire/payloads.h"

namespace cryo {

// Returns the plain content of a tensor of a fixed-size type (its dtype, shape and count are set)
// from the typed list of an elided TensorProto (float_val, int_val, ...): records and packed chunks
// in their order, surplus ignored, the last value repeated, zeros for an empty list.
//
//     list        00 00 80 3F | 00 00 00 40     float_val 1, 2
//     float[2]    00 00 80 3F | 00 00 00 40     the list's own slice
//     float[4]    00 00 80 3F | 00 00 00 40 | 00 00 00 40 | 00 00 00 40     the last repeats
Result<Splice> read_values(std::string_view skeleton, const Payloads& payloads,
                           const Tensor& tensor);

// The elements that a TensorProto itself has: fewer than its shape if the last one is repeated.
struct StoredValues {
  uint64_t count = 0;
  bool in_content = false;  // in tensor_content, else in the typed list
};

// Counts the stored elements of an elided TensorProto of a fixed-size type. Reads a bulky list of
// varints; nothing else that is bulk.
Result<StoredValues> stored_values(std::string_view skeleton, const Payloads& payloads,
                                   DType dtype);

}  // namespace cryo
