#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compat/verdict.h"
#include "graph/op_registry.h"

namespace cryo {

// A runtime or converter, and the ops that it takes (core/graph/runtime_ops.json).
struct Runtime {
  // The types that it takes, as bits, by attribute. An attribute that is not here is not limited.
  using Types = std::vector<std::pair<std::string, uint64_t>>;

  std::string name = {};         // "tflite"
  std::string version = {};      // that the list was made with
  bool folds_constants = false;  // it computes what follows from constants first, by any op
  std::map<std::string, Types, std::less<>> ops = {};
  // Ops whose first input may not be a placeholder of unknown rank; or the placeholder itself.
  std::set<std::string, std::less<>> ranked = {};
};

// Adds the tensors whose ranks decide for a runtime to `shapes`; of unknown shape.
void add_deciding_shapes(const Graph& graph, const Runtime& runtime, TensorShapes& shapes);

// Looks for the ops and types of the graph, and of the functions that it calls, in a runtime's
// list. Damage of the main graph stops a runtime, too. `ops`: definitions; an op that they lack is
// compared by name. `shapes`: those that add_deciding_shapes() names.
TargetVerdict judge_runtime(const Graph& graph, const Runtime& runtime, const OpRegistry& ops,
                            const GraphVerdict& found, const TensorShapes& shapes = {});

}  // namespace cryo
