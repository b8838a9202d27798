#pragma once

#include "base/result.h"
#include "bytes/splice.h"
#include "tensor/dtype.h"

namespace cryo {

// Returns plain whole numbers as the list of varints that a TensorProto stores (int_val, half_val,
// ...), the inverse of VarintSource: computed whenever it is read, in bounded memory.
//
//     int32[3]  05 00 00 00 | 2C 01 00 00 | FF FF FF FF
//     list      05          | AC 02       | FF FF FF FF FF FF FF FF FF 01
//
// To know the list's length the numbers are read once now. REQUIRES: the type's values are varints;
// there is at least one element, and all are whole.
Result<Slice> packed_varints(const Splice& content, DType dtype);

}  // namespace cryo
