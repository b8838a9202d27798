#pragma once

#include <optional>

#include "graph/node.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

class OpRegistry;

// The type and shape of a node's output that a graph declares itself, without inference.

// Its type: the op's definition tells; without one (`ops` null, or a foreign op) the attribute that
// most ops of one type have. References count as their values.
std::optional<DType> output_dtype(const Node& node, uint32_t port, const OpRegistry* ops);

// Its shape: of a placeholder, variable or constant its own; else what the exporter noted in
// `_output_shapes`; else unknown.
Shape output_shape(const Node& node, uint32_t port);

// Returns the shape that the exporter noted in `_output_shapes`; unknown where there is none.
Shape noted_shape(const Node& node, uint32_t port);

}  // namespace cryo
