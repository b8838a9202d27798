#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "verbs/check_made.h"

namespace cryo {

// One step of a verb. `run` changes the job's model, or fails.
template <typename Job>
struct Stage {
  std::string_view name;  // "choose outputs"
  Status (*run)(Job& job);
  bool may_break = false;  // as TensorFlow's own tool breaks a graph: its result is not checked
};

// The validator takes longer than most stages: of a larger graph the last result alone is checked.
constexpr size_t kMaxCheckedNodes = 2000;

// Fails if a stage broke the graph. Shapes that nodes note are not checked in between: a later
// stage removes those that others contradict.
template <typename Job>
Status check_stage(std::string_view name, const Model& before, const Job& job) {
  const Graph& graph = job.model.graph;
  const bool same = &graph.index() == &before.graph.index();
  if (same || graph.nodes().size() > kMaxCheckedNodes) return Unit{};
  return check_made(name, before, job.without_stale_shapes(), job.ops);
}

// Runs the stages in their order, up to the first that fails. A debug build checks the graph after
// each that changed it, and names the one that broke it.
template <typename Job>
Status run_stages(std::span<const Stage<Job>> stages, Job& job) {
  for (const Stage<Job>& stage : stages) {
#ifdef CRYOGRAPH_CHECK_PASSES
    const Model before = job.model;
    CHECK_OK(stage.run(job));
    if (!stage.may_break) CHECK_OK(check_stage(stage.name, before, job));
#else
    CHECK_OK(stage.run(job));
#endif
  }
  return Unit{};
}

}  // namespace cryo
