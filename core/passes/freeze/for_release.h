#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"
#include "releases/op_histories.h"
#include "releases/verdict.h"

namespace cryo {

class OpRegistry;

// The release of `for_release`, and what its importer has.
struct TargetRelease {
  OpHistories histories;
  size_t place = 0;  // in histories.releases()

  const Release& release() const { return histories.releases()[place]; }
};

// Finds a release by its name, "tensorflow-1.15". `histories`: core/data/op_histories.bin, or empty
// if it is not loaded. Fails with "bad-option" if there is no such release, with "ops-not-loaded"
// without the data. REQUIRES: `ops` and `histories` outlive the result.
Result<TargetRelease> find_release(const std::string& name, const OpRegistry* ops,
                                   std::string_view histories);

// Returns true if a release refuses functional control flow or calls of a main graph, or a node in
// a function's body. `verdict`: the release's on the graph.
bool needs_lowering(const Graph& graph, const TargetVerdict& verdict);
bool needs_lowering(const Model& model, const TargetRelease& target);

// Gives the nodes of a frozen main graph the forms that the release has
// (releases/op_downgrades.h). The log lists each change.
//
// Fails with "release-refused" if the release would not load the result, or load it and not run it.
Result<Model> fit_to(const TargetRelease& target, const Model& model,
                     const std::vector<std::string>& outputs, const OpRegistry& ops,
                     GraphChanges& changes, Diagnostics& diagnostics);

}  // namespace cryo
