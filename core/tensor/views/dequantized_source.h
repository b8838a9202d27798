#pragma once

#include <vector>

#include "bytes/splice.h"
#include "tensor/dtype.h"

namespace cryo {

// The real numbers that quantized ones stand for, as float32, computed while they are read:
//
//     element i    scales[c] * (stored - zero_points[c]),  c = i / inner % scales.size()
//
// `inner`: the elements of a channel that follow one another.
struct Dequantization {
  std::vector<float> scales = {};
  std::vector<int64_t> zero_points = {};  // as many
  uint64_t inner = 1;
};

// REQUIRES: is_number(dtype); there are scales; the slice is a whole number of elements.
Slice dequantized(Slice stored, DType dtype, Dequantization by);

// The same of blocks of elements that follow one another, without zero points: the scales, one for
// each block, are read with the elements.
struct BlockScales {
  Slice stored = {};
  DType dtype = DType::kInvalid;
  uint64_t block = 1;
};

// REQUIRES: is_number() of both types; a scale for each block, the last of which may be shorter.
Slice dequantized_blocks(Slice stored, DType dtype, BlockScales scales);

// Integers of 4 or 2 bits as a byte each, the first in the low bits of a byte:
//
//     slice   21 0F        int4   1 2 -1 0
//
// REQUIRES: 4 or 2 bits; the slice has `count` of them.
Slice unpacked(Slice stored, uint64_t count, uint32_t bits, bool is_signed);

}  // namespace cryo
