#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compat/op_histories.h"
#include "graph/graph.h"

namespace cryo {

// A cause that stops a release or runtime, with the first node that has it.
struct Blocker {
  std::string function = {};  // that has the node in its body; empty: the main graph
  std::string node = {};      // empty if the cause is no node's
  std::string op = {};
  std::string attr = {};
  std::string why = {};
  std::string fix = {};  // an option of our own that removes it (base/reference.h); may be empty
  uint64_t count = 0;    // nodes that have the cause
  bool stops_loading = true;  // false: it loads, and does not run
};

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

// Applies the rules by which TensorFlow's importers differ to a graph, for each release. Damage
// that every release refuses is not detected: check_graph() is for that. Shapes are not inferred,
// so a graph that only a shape function refuses counts as accepted. Returns a verdict for each
// release, the oldest first.
std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories);

// Looks for the ops of the graph and of its functions in a runtime's list.
TargetVerdict judge_runtime(const Graph& graph, const RuntimeOps& runtime);

}  // namespace cryo
