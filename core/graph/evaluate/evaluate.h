#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "graph/evaluate/known_tensor.h"
#include "graph/node.h"
#include "tensor/shape.h"

namespace cryo {

// How numbers with a point are computed.
enum class Arithmetic {
  // Exactly TensorFlow's bits: each step is rounded to the type, and only ops that IEEE 754 defines
  // are computed. Nothing is computed from or to subnormal numbers, which TensorFlow flushes to
  // zero on some machines, nor to NaN.
  kExact,
  // In double, rounded when it is stored; also Rsqrt.
  kDouble,
};

// Returns true if evaluate() knows the op.
bool can_evaluate(std::string_view op);

// Returns the output of a node with one output: element by element, of shapes and places (Reshape,
// StridedSlice, Pack, Transpose, ...), of whole numbers along axes (Prod, Sum, ...). Elements that
// are not known (kUnknownElement) are not known in the result either.
//
// nullopt for other ops, for inputs that TensorFlow would refuse, for over `most` elements, and
// where an element decides that is not known. `inputs`: the data inputs, in order.
std::optional<KnownTensor> evaluate(const Node& node, std::span<const KnownTensor* const> inputs,
                                    Arithmetic arithmetic, size_t most);

// The ops that ask for the shape of their input alone: Shape, Size and Rank.
bool measures(std::string_view op);

// Returns the output of one of them for an input of this shape, of which sizes may be unknown
// (kUnknownElement in the result). nullopt for an unknown rank, and for a Size that is unknown or
// exceeds 32 bits.
std::optional<KnownTensor> measured(const Node& node, const Shape& shape);

}  // namespace cryo
