#pragma once

#include "graph/graph.h"
#include "graph/op_registry.h"
#include "validate/graph/findings.h"

namespace cryo {

// Up to this producer version no placeholder's shape was written as that of a scalar: [] means an
// unknown shape.
constexpr int kScalarsAreUnknown = 21;

// The graph's `versions` against those of the TensorFlow that the registry is of.
void check_versions(const Graph& graph, const OpRegistry& registry, const Reporter& reporter);

}  // namespace cryo
