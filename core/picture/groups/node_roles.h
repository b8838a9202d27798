#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "picture/groups/scene.h"

namespace cryo {

// The purpose of a node. All but inference are drawn aside.
enum class NodeRole : uint8_t {
  kInference,
  kPipeline,
  kTraining,
  kSaving,
  kInitialization,
  kSummary,
};
constexpr size_t kRoleCount = 6;

std::string_view role_name(NodeRole role);   // "inference", "pipeline", "training", ...
std::string_view role_title(NodeRole role);  // "Input pipeline", "Training", ...

// Returns the role of each node of a scene of the graph. Nodes that InferenceSubgraph excludes are
// not inference: their role follows from the ops that they are computed for. All are inference if
// none would be, and in a function's body.
std::vector<NodeRole> node_roles(const Graph& graph, const Scene& scene);

}  // namespace cryo
