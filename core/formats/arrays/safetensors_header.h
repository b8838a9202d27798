#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A tensor's entry in a safetensors header:
//
//     {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ..., "__metadata__": {}}
struct SafeTensor {
  std::string name = {};
  std::string dtype = {};
  Shape shape = {};
  uint64_t begin = 0;  // of its bytes, counted from the header's end
  uint64_t end = 0;
};

// safetensors' types, by rank: files hold tensors of a high rank first, so that all are aligned.
struct SafeType {
  std::string_view name;
  uint32_t bits;
  DType dtype;  // kInvalid: TensorFlow has none like it
  bool raw;     // stands for a type that safetensors has no name for
};
const SafeType* find_safe_type(std::string_view name);
const SafeType* find_safe_type(DType dtype);
size_t safe_rank(const SafeType& type);

// Parses the tensors in the header's order. Checks that the header is such JSON and that no name,
// and no field of a tensor, is repeated. Takes memory of a few times the header's. Fails with
// "bad-safetensors". The metadata is not kept.
Result<std::vector<SafeTensor>> parse_safetensors_header(std::string_view json);

// Returns the header of these tensors, without its length: compact JSON, padded with blanks to a
// multiple of 8. REQUIRES: names are UTF-8.
std::string safetensors_header(const std::vector<SafeTensor>& tensors);

}  // namespace cryo
