#pragma once

#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "releases/blockers.h"
#include "releases/op_histories.h"
#include "validate/check_graph.h"

namespace cryo {

// An error of a graph by rules that releases share: an edge, a name, a cycle, a shape.
struct Damage {
  std::string_view code = {};
  Blocker blocker = {};
};

// Returns the errors that check_graph() found, but for those of ops, attributes and versions, by
// which releases differ: node_faults() and judge_releases() find these. `found` outlives them.
std::vector<Damage> damage_of(const Graph& graph, const GraphVerdict& found);

// Returns true if a release refuses a graph with the damage. `latest`: it is the release whose
// rules check_graph() has.
bool is_refused(const Damage& damage, const Release& release, bool latest);

}  // namespace cryo
