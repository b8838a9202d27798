#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "compat/runtimes.h"
#include "graph/graph.h"
#include "graph/op_registry.h"
#include "graph/walk.h"
#include "releases/damage.h"
#include "releases/verdict.h"
#include "validate/check_graph.h"
#include "wire/payloads.h"

namespace cryo {

// A graph as all runtimes see it.
struct RuntimeGraph {
  const Graph& graph;
  const Payloads& payloads;
  const OpRegistry& ops;
  const TensorShapes& shapes;  // of the tensors of add_deciding_shapes()
  std::vector<Damage> damage;
  NodeSet constant;                                // nodes that converters replace by a constant
  std::vector<Function> called;                    // with all functions that they call
  std::unordered_set<std::string_view> functions;  // names
};

// Adds the tensors whose shapes decide for a runtime to `shapes`; of unknown shape.
void add_deciding_shapes(const Graph& graph, const Runtime& runtime, TensorShapes& shapes);

// `payloads`: of the graph. `ops`: definitions; an op that they lack is compared by name. `found`:
// by check_graph(). REQUIRES: all outlive it.
RuntimeGraph runtime_graph(const Graph& graph, const Payloads& payloads, const OpRegistry& ops,
                           const GraphVerdict& found, const TensorShapes& shapes);

// Compares the ops and attributes of the graph, and of the functions that it calls, with a
// runtime's list. Damage of the main graph stops every runtime. Blockers in functions' bodies have
// no fix: find_fixes() names those (compat/find_fixes.h).
TargetVerdict judge_runtime(const RuntimeGraph& judged, const Runtime& runtime);

}  // namespace cryo
