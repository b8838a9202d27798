#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compat/blockers.h"
#include "compat/older_forms.h"
#include "compat/op_histories.h"
#include "graph/graph.h"
#include "validate/check_graph.h"

namespace cryo {

struct TargetVerdict {
  std::string name = {};     // "tensorflow-1.15", "tfjs"
  std::string version = {};  // of a runtime; empty for a release
  std::vector<Blocker> blockers = {};
  // The main graph's nodes with a blocker without a fix; the first kMaxUnfixed of them.
  std::vector<uint32_t> unfixed = {};

  bool loads() const;
  bool runs() const { return blockers.empty(); }  // on the CPU: each node has a kernel

  // Returns the fewest options of freeze that remove all blockers: "freeze with --for
  // tensorflow-1.4". Empty if there are no blockers, or one has no fix.
  std::string fix() const;
};

// Applies the rules by which TensorFlow's importers differ to a graph, for each release, and adds
// the damage that check_graph() found. Returns a verdict for each release, in the order of
// `places`. `places`: of releases in histories.releases(), ascending.
//
// Blockers in functions' bodies have no fix: add_fixes() names those (compat/fixes_by_freezing.h).
std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const std::vector<size_t>& places,
                                          const GraphVerdict& found, const FormContext& context);

// The same for all releases, the oldest first.
std::vector<TargetVerdict> judge_releases(const Graph& graph, const OpHistories& histories,
                                          const GraphVerdict& found, const FormContext& context);

}  // namespace cryo
