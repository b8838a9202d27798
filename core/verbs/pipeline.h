#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "verbs/check_made.h"

namespace cryo {

// One step of a verb. `run` changes the job's model, or fails.
template <typename Job>
struct Stage {
  std::string_view name;  // "choose-outputs"
  Status (*run)(Job& job);
};

// Runs the stages in their order, up to the first that fails. A debug build checks the graph after
// each that changed it, and names the one that broke it. Shapes that nodes note are not checked in
// between: the last stages remove those that others contradicted.
template <typename Job>
Status run_stages(std::span<const Stage<Job>> stages, Job& job) {
  for (const Stage<Job>& stage : stages) {
#ifdef CRYOGRAPH_CHECK_PASSES
    const Model before = job.model;
    CHECK_OK(stage.run(job));
    CHECK_OK(check_made(stage.name, before, job.without_stale_shapes(), job.ops));
#else
    CHECK_OK(stage.run(job));
#endif
  }
  return Unit{};
}

}  // namespace cryo
