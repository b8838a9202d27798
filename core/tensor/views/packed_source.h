#pragma once

#include "base/result.h"
#include "bytes/splice.h"
#include "tensor/dtype.h"

namespace cryo {

// Plain whole numbers as the list of varints that a TensorProto keeps them in (int_val, half_val,
// ...), the inverse of VarintSource: computed whenever it is read, in bounded memory.
//
//     int32[3]  05 00 00 00 | 2C 01 00 00 | FF FF FF FF
//     list      05          | AC 02       | FF FF FF FF FF FF FF FF FF 01
//
// To know the list's length the numbers are read once now.
// REQUIRES: of a type whose values are varints; one or more of them, all whole.
Result<Slice> packed_varints(const Splice& content, DType dtype);

}  // namespace cryo
