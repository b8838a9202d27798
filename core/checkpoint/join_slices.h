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

// A whole tensor from its slices, nothing copied. Where a slice is less than a whole row of the
// tensor, its rows interleave with its neighbours':
//
//     slices  A = columns 0..1: a0 a1 a2   B = column 2: b0 b1 b2      (three rows)
//     whole   a0 b0 a1 b1 a2 b2                                        six pieces
//
// Up to kMaxStrips (strips.h) pieces the result is pieces of the inputs; beyond, it is one piece of
// a source that puts the bytes together as they are read.
//
// REQUIRES: the boxes tile the tensor; bytes.size is the box's elements times element_size; the
// whole is below 2^63 bytes.
Splice join_slices(std::span<const uint64_t> dims, uint64_t element_size,
                   const std::vector<StoredSlice>& slices);

}  // namespace cryo
