#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compat/runtimes.h"
#include "model/model.h"
#include "releases/op_histories.h"
#include "releases/verdict.h"

namespace cryo {

class OpRegistry;

// The releases and runtimes for which a model is judged. A target's place is that among all of
// them, releases first.
struct Targets {
  OpHistories histories;
  std::vector<size_t> releases = {};  // places in the histories, ascending
  std::vector<Runtime> runtimes = {};

  size_t size() const { return releases.size() + runtimes.size(); }
  bool is_release(size_t place) const { return place < releases.size(); }
};

// `histories`: core/data/op_histories.bin. `runtimes`: core/data/runtime_ops.json. `names`: of the
// chosen ones, "tensorflow-1.15", "tfjs"; empty for all. Fails with "bad-option" if there is no
// target of a name. REQUIRES: `histories` and `ops` outlive the result.
Result<Targets> find_targets(std::string_view histories, std::string_view runtimes,
                             const std::vector<std::string>& names, const OpRegistry& ops);

// Returns the verdicts of the targets at some places, ascending, on the model as it is. `outputs`:
// tensors that are used outside of the graph.
std::vector<TargetVerdict> judge_model(const Model& model, const Targets& targets,
                                       const std::vector<size_t>& places,
                                       const std::vector<std::string>& outputs,
                                       const OpRegistry& ops);

}  // namespace cryo
