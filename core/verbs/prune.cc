#include "verbs/prune.h"

#include "passes/common/new_model.h"
#include "passes/common/restored_tables.h"
#include "passes/prune/pruner.h"
#include "passes/tf_compat/like_tensorflow.h"
#include "verbs/graph_job.h"
#include "verbs/pipeline.h"

namespace cryo {
namespace {

// Keeps what the outputs need, which no longer end at inputs, of a model that a stage has changed.
Status prune_again(GraphJob& job, const Model& changed) {
  const Ends ends = only_outputs(job.selection.outputs);
  return job.become(prune_to_ends(changed, ends, job.ops, job.diagnostics));
}

Status prune_to_chosen(GraphJob& job) {
  return job.become(prune_to_ends(job.model, {job.selection}, job.ops, job.diagnostics));
}

Status warn_of_unfilled_tables(GraphJob& job) {
  for (Diagnostic& each : unfilled_tables(job.unfilled, job.model.graph)) {
    each.severity = Severity::kWarning;
    job.diagnostics.add(std::move(each));
  }
  return Unit{};
}

Status drop_captures(GraphJob& job) {
  const auto trimmed = without_captures(job);
  return trimmed ? prune_again(job, *trimmed) : Unit{};
}

Status drop_dropout(GraphJob& job) {
  if (!job.inference) return Unit{};
  CHECK_OK(remove_dropout(job));
  return prune_again(job, job.model);
}

constexpr Stage<GraphJob> kPruneStages[] = {
    {"complete options", complete_options},
    {"fill tables", fill_tables},
    {"set values", set_values},
    {"use moving averages", use_moving_averages},
    {"choose outputs", choose_outputs},
    {"prune", prune_to_chosen},
    {"warn of tables", warn_of_unfilled_tables},
    {"drop captures", drop_captures},
    {"remove dropout", drop_dropout},
    {"list variables", list_variables},
    {"clean up", clean_up},
};

Status extract_sub_graph(GraphJob& job) {
  return job.become(prune_like_tensorflow(job.model, job.selection.outputs, job.ops));
}

constexpr Stage<GraphJob> kLikeExtractSubGraph[] = {
    {"complete options", complete_options},
    {"choose outputs", choose_outputs},
    {"extract sub graph", extract_sub_graph, true},
    {"clean up", make_cleanups},
};

}  // namespace

Result<GraphResult> prune(const Model& model, const PruneOptions& options, const OpRegistry* ops,
                          Diagnostics& diagnostics) {
  return new_model(model, [&](const Model& own) -> Result<GraphResult> {
    GraphJob job{
        own, ops, diagnostics, options.selection, options.set, options.cleanup, options.inference};
    CHECK_OK(options.like_tensorflow ? run_stages<GraphJob>(kLikeExtractSubGraph, job)
                                     : run_stages<GraphJob>(kPruneStages, job));
    return std::move(job).result();
  });
}

}  // namespace cryo
