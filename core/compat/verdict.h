#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compat/blockers.h"
#include "compat/op_histories.h"
#include "graph/graph.h"
#include "validate/check_graph.h"

namespace cryo {

struct TargetVerdict {
  std::string name = {};  // "tensorflow-1.15", "tfjs"
  std::vector<Blocker> blockers = {};

  bool loads() const;
  bool runs() const { return blockers.empty(); }  // on the CPU: each node has a kernel
};

// The ops that a runtime or converter takes (core/graph/runtime_ops.json).
struct RuntimeOps {
  std::string name = {};
  std::vector<std::string> ops = {};  // sorted
};

// Applies the rules by which TensorFlow's importers differ to a graph, for each release, and adds
// the damage that check_graph() found. Returns a verdict for each release, the oldest first.
// `shapes`: those that OlderForms::deciding_shapes() names; without them fewer blockers have a fix.
std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const GraphVerdict& found,
                                          const TensorShapes& shapes = {});

// Looks for the ops of the graph and of its functions in a runtime's list. Damage of the main graph
// stops a runtime, too.
TargetVerdict judge_runtime(const Graph& graph, const RuntimeOps& runtime,
                            const GraphVerdict& found);

}  // namespace cryo
