#pragma once

#include <string>
#include <vector>

#include "bytes/splice.h"
#include "checkpoint/tensor_slice.h"

namespace cryo {

// The bytes of one slice of a tensor: a box of it, its elements in row-major order of the box.
struct StoredSlice {
  Box box = {};
  Slice bytes = {};
};

// Joins the slices of a tensor without copying. The rows of a slice that is narrower than the
// tensor interleave with the rows of the adjacent slices:
//
//     slices  A = columns 0..1: a0 a1 a2   B = column 2: b0 b1 b2      (three rows)
//     whole   a0 b0 a1 b1 a2 b2                                        six pieces
//
// The result has pieces of the inputs, up to kMaxStrips (strided_runs.h) of them. If there would be
// more, it is one piece of a source that assembles the bytes while they are read.
//
// REQUIRES: the boxes tile the tensor; bytes.size is the box's elements times element_size; the
// whole is below 2^63 bytes.
Splice join_slices(std::span<const uint64_t> dims, uint64_t element_size,
                   const std::vector<StoredSlice>& slices);

}  // namespace cryo
