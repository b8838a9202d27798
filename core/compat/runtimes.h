#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compat/verdict.h"
#include "graph/op_registry.h"
#include "wire/payloads.h"

namespace cryo {

// A runtime or converter, and the ops that it takes (core/data/runtime_ops.json).
struct Runtime {
  // The types that it takes, as bits, by attribute. Other attributes have any type.
  using Types = std::vector<std::pair<std::string, uint64_t>>;

  std::string name = {};         // "tflite"
  std::string version = {};      // the one that the list is from
  bool folds_constants = false;  // it evaluates nodes with constant inputs first, of any op
  std::map<std::string, Types, std::less<>> ops = {};
  // Ops that it refuses if their first input is a placeholder of unknown rank. "Placeholder": every
  // placeholder of unknown rank.
  std::set<std::string, std::less<>> ranked = {};
  // Ops that it does not have, and does not reach in a branch: a check runs there if it fails.
  std::set<std::string, std::less<>> guarded = {};
  // It evaluates a node of a loop that reads only constants of the loop in the first iteration
  // alone, and does not find its value in the others.
  bool forgets_invariants = false;
  // It takes a node by the rules of OpenCV's reader (compat/opencv.h), not by its op alone.
  bool has_opencv_rules = false;
};

// Adds the tensors whose ranks decide for a runtime to `shapes`; of unknown shape.
void add_deciding_shapes(const Graph& graph, const Runtime& runtime, TensorShapes& shapes);

// Compares the ops and types of the graph, and of the functions that it calls, with each runtime's
// list. Damage of the main graph stops every runtime. `payloads`: of the graph. `ops`: definitions;
// an op that they lack is compared by name. `shapes`: those that add_deciding_shapes() names.
// Returns a verdict for each runtime, in their order. Blockers in functions' bodies have no fix:
// add_fixes() names those (compat/fixes_by_freezing.h).
std::vector<TargetVerdict> judge_runtimes(const Graph& graph, const Payloads& payloads,
                                          const std::vector<Runtime>& runtimes,
                                          const OpRegistry& ops, const GraphVerdict& found,
                                          const TensorShapes& shapes = {});

}  // namespace cryo
