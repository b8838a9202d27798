#pragma once

#include "graph/check/findings.h"
#include "graph/graph.h"
#include "graph/op_registry.h"

namespace cryo {

// The graph's `versions` against those of the TensorFlow that the registry is of.
void check_versions(const Graph& graph, const OpRegistry& registry, const Reporter& reporter);

}  // namespace cryo
