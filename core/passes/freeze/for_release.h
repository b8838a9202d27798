#pragma once

#include "compat/op_histories.h"
#include "passes/pass.h"

namespace cryo {

// The release of `for_release`, and what its importer has.
struct TargetRelease {
  OpHistories histories;
  size_t place = 0;  // in histories.releases()

  const Release& release() const { return histories.releases()[place]; }
};

// Fails with "bad-option" if there is no such release, with "ops-not-loaded" without its data.
// REQUIRES: what `ops` and `histories` of the options refer to outlives the result.
Result<TargetRelease> find_release(const PassOptions& options);

// Returns true if the release refuses functional control flow or calls of the graph, or a node in a
// function's body.
bool needs_lowering(const Model& model, const TargetRelease& target);

// Gives the nodes of a frozen main graph the forms that the release has (compat/older_forms.h). The
// log lists each change.
//
// Fails with "release-refused" if the release would not load the result, or load it and not run it.
Result<Model> fitted_to(const TargetRelease& target, const Model& model, const PassOptions& options,
                        PassLog& log);

}  // namespace cryo
