#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace tensorflow {
class TensorShapeProto;
}

namespace cryo {

class JsonWriter;

// The shape of a tensor, outermost dimension first. No dimensions: a scalar.
struct Shape {
  bool unknown_rank = false;       // if true, dims is empty
  std::vector<int64_t> dims = {};  // -1 is unknown

  bool operator==(const Shape&) const = default;
};

constexpr int64_t kUnknownDim = -1;

// TensorFlow has no tensors of more dimensions.
constexpr int kMaxDims = 254;

// Parses a shape. Fails with "bad-shape" if TensorFlow refuses it: sizes below -1, more than
// kMaxDims, dims together with unknown_rank. Names of dimensions are dropped.
Result<Shape> read_shape(const tensorflow::TensorShapeProto& proto);
tensorflow::TensorShapeProto to_proto(const Shape& shape);
// Its bytes.
std::string shape_message(const Shape& shape);

// [2,-1]; null for an unknown rank.
void write_json(JsonWriter& json, const Shape& shape);

bool is_fully_defined(const Shape& shape);

// Returns true if `declared` allows a tensor of the shape `stored`: unknown sizes and ranks allow
// any.
bool is_compatible(const Shape& declared, const Shape& stored);

// Returns the product of the sizes, 1 for a scalar. Fails with "bad-shape" if a size is unknown, or
// if the product of the sizes other than 0 does not fit in int64_t.
Result<uint64_t> element_count(const Shape& shape);

// "[2,?]", "[]" for a scalar, "<unknown>" for an unknown rank.
std::string to_text(const Shape& shape);

}  // namespace cryo
