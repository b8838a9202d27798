#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cryo {

// Sliced tensors: a partitioned variable is saved as several tensors, each a box of the whole
// (tensorflow/core/framework/ tensor_slice.h). A checkpoint holds an entry for the whole that lists
// its slices, and an entry for each slice under a key made from the tensor's name and the slice.

// One dimension of a slice as stored. Without a length it is all of the dimension.
struct Extent {
  int64_t start = 0;
  std::optional<int64_t> length = {};
};

// The key of a slice's own entry, in the ordered code of
// tensorflow/core/lib/strings/ordered_code.h: bytes, not text.
//
//     "v", rows 0 and 1 of a vector:   00 | 76 00 01 | 01 01 | 80 82
//                                      0  | "v"      | rank  | start 0, length 2
//
// REQUIRES: `slice` exactly as the tensor's entry lists it: 0,20 and "all of 20" are different
// keys.
std::string slice_key(std::string_view tensor, std::span<const Extent> slice);

// Returns true if a key is a slice's: no tensor's name begins with a zero byte.
inline bool is_slice_key(std::string_view key) { return !key.empty() && key.front() == '\0'; }

// One dimension of a box, resolved against a shape: [start, start + size).
struct Range {
  uint64_t start = 0;
  uint64_t size = 0;
};
using Box = std::vector<Range>;

// Returns the slice as a box of a tensor of these dimensions; nullopt if it has another rank or
// exceeds the tensor.
std::optional<Box> resolve(std::span<const Extent> slice, std::span<const uint64_t> dims);

// A part of a variable as SaveV2's shape_and_slices writes it: "10 20 0,5:-" is rows 0 to 4 of a
// [10,20] tensor.
struct SliceSpec {
  std::vector<uint64_t> dims = {};  // of the whole
  Box box = {};
};

// Parses a slice spec; nullopt if it is malformed or exceeds the tensor.
std::optional<SliceSpec> parse_slice_spec(std::string_view text);

// Returns true if the boxes, each inside the tensor, cover every element exactly once.
bool tile(std::vector<Box> boxes, std::span<const uint64_t> dims);

// The most slices of one tensor that are checked. TensorFlow's partitioners make one for each
// parameter server or for each configured maximum of bytes: hundreds.
constexpr size_t kMaxSlices = 16384;

}  // namespace cryo
