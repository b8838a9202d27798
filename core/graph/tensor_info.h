#pragma once

#include <optional>

#include "graph/node.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

class OpRegistry;

// Up to this producer version no placeholder's shape was written as that of a scalar: [] means an
// unknown shape.
constexpr int kScalarsAreUnknown = 21;

// The type and shape of a node's output that a graph declares itself, without inference.

// Returns the type by the op's definition; without one (`ops` null, or an unknown op) by the
// attribute that most ops of one type have. References count as their values.
std::optional<DType> output_dtype(const Node& node, uint32_t port, const OpRegistry* ops);

// Returns the shape of a placeholder, variable or constant; else the one that the exporter noted in
// `_output_shapes`; else unknown.
Shape output_shape(const Node& node, uint32_t port);

// Returns the meaning of the shape that a placeholder of a graph of this producer states.
Shape placeholder_shape(Shape stated, int producer);

// Returns true if the shape of the first output is known (output_shape) and has no dimensions.
bool is_scalar(const Node& node);

// Returns the shape that the exporter noted in `_output_shapes`; unknown if there is none.
Shape noted_shape(const Node& node, uint32_t port);

}  // namespace cryo
