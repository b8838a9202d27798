#pragma once

#include <vector>

#include "graph/graph.h"
#include "releases/op_downgrades.h"
#include "releases/op_histories.h"
#include "releases/verdict.h"
#include "validate/check_graph.h"

namespace cryo {

// Applies the rules by which TensorFlow's importers differ to a graph, for each release, and adds
// the damage that check_graph() found. Returns a verdict for each release, in the order of
// `places`. `places`: of releases in histories.releases(), ascending.
//
// Blockers in functions' bodies have no fix: find_fixes() names those (compat/find_fixes.h).
std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const std::vector<size_t>& places,
                                          const GraphVerdict& found,
                                          const DowngradeContext& context);

// The same for all releases, the oldest first.
std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const GraphVerdict& found,
                                          const DowngradeContext& context);

}  // namespace cryo
