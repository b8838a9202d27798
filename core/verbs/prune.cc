#include "verbs/prune.h"

#include "base/text.h"
#include "passes/common/function_entry.h"
#include "passes/common/new_model.h"
#include "passes/common/restored_tables.h"
#include "passes/prune/pruner.h"
#include "passes/set/set_values.h"
#include "passes/set/set_variables.h"
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

// Fails if a function reads a variable that is set: only freezing gives functions another value.
Status check_set_variables(GraphJob& job) {
  std::vector<std::string> names;
  for (const std::string& text : job.set) names.emplace_back(set_node(text));
  const std::vector<std::string> takers = values_taken_of(job.model.graph, names);
  if (takers.empty()) return Unit{};
  return failure(
      "not-settable", cat("'", takers.front(), "' takes a variable that is set, and not its value"),
      {.node = takers.front()}, "freeze the model: then all that uses it takes the value");
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

Status fold_constant_branches(GraphJob& job) {
  const auto folded = without_constant_branches(job, job.selection);
  return folded ? prune_again(job, *folded) : Unit{};
}

Status drop_dropout(GraphJob& job) {
  if (!job.inference) return Unit{};
  CHECK_OK(remove_dropout(job));
  return prune_again(job, job.model);
}

constexpr Stage<GraphJob> kPruneStages[] = {
    {"complete options", complete_options},
    {"fill tables", fill_tables},
    {"take single replica", take_single_replica},
    {"set values", set_values},
    {"use stored values", use_stored_values},
    {"choose outputs", choose_outputs},
    {"prune", prune_to_chosen},
    {"check set variables", check_set_variables},
    {"warn of tables", warn_of_unfilled_tables},
    {"fold branches", fold_constant_branches},
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
    TRY(entered, with_function_entry(own, options.selection.function));
    GraphJob job{entered,          ops,
                 diagnostics,      with_entry_signature(options.selection),
                 options.set,      options.cleanup,
                 options.inference};
    CHECK_OK(options.like_tensorflow ? run_stages<GraphJob>(kLikeExtractSubGraph, job)
                                     : run_stages<GraphJob>(kPruneStages, job));
    return std::move(job).result();
  });
}

}  // namespace cryo
