#pragma once

#include "graph/graph.h"
#include "graph/op_registry.h"
#include "validate/graph/findings.h"

namespace cryo {

// The graph's `versions` against those of the TensorFlow that the registry is of.
void check_versions(const Graph& graph, const OpRegistry& registry, const Reporter& reporter);

}  // namespace cryo
