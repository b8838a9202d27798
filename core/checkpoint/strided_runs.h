#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "checkpoint/tensor_slice.h"

namespace cryo {

// The location of a box in its tensor's bytes: `count` strips of `run` bytes, ascending. Strip i is
// bytes [i * run, (i + 1) * run) of the box.
//
//     columns 1..2 of three rows    . a a . | . b b . | . c c .    three strips
//
// REQUIRES: the tensor has a dimension; the box is inside it and not empty.
class Strips {
 public:
  Strips(std::span<const uint64_t> dims, uint64_t element_size, Box box);

  uint64_t count() const { return count_; }
  uint64_t run() const { return run_; }

  // Returns the offset of strip i in the whole tensor.
  uint64_t begin(uint64_t i) const;

 private:
  Box box_;
  std::vector<uint64_t> strides_;  // bytes of a step along each dimension
  size_t inner_ = 0;
  uint64_t run_ = 0;
  uint64_t count_ = 1;
};

// Beyond this many strips, a list of pieces would take more memory than a source that reads them
// one after the other: 64 Ki pieces are 2 MB, and about the most that a browser's Blob handles
// well.
constexpr uint64_t kMaxStrips = uint64_t{64} * 1024;

}  // namespace cryo
