#include "verbs/graph_job.h"

#include "base/text.h"
#include "passes/common/restored_tables.h"
#include "passes/common/select_outputs.h"
#include "passes/inference/batch_statistics.h"
#include "passes/inference/dropout.h"
#include "passes/inference/single_replica.h"
#include "passes/inference/stored_ranges.h"
#include "passes/inference/training_loop.h"
#include "passes/inline/stale_output_shapes.h"
#include "passes/set/set_values.h"
#include "passes/set/unused_captures.h"
#include "passes/variables/listed_variables.h"

namespace cryo {
namespace {

// Switches, Merges and Selects of constant conditions pass on one input, under their names.
void add_taken_branches(const Graph& before, const Graph& after, GraphChanges& changes) {
  const NodeNames& names = before.index().names();
  for (const Node& node : after.nodes()) {
    const uint32_t old = names.find(node.name);
    if (old == kNoNode || before.nodes()[old].op == node.op) continue;
    changes.push_back({std::string(node.name), kBranchTaken,
                       cat(before.nodes()[old].op, ": its condition is constant"), false});
  }
}

}  // namespace

Status GraphJob::become(Result<Model> made) {
  if (!made) return std::move(made).failure();
  model = std::move(*made);
  return Unit{};
}

GraphResult GraphJob::result() && {
  model.outputs = selection.outputs;
  return {std::move(model), std::move(selection), std::move(changes), std::move(converted)};
}

Model GraphJob::without_stale_shapes() const {
  if (model.graph.is_as_read()) return model;
  return without_stale_output_shapes(model, opened.graph, ops);
}

Status complete_options(GraphJob& job) {
  TRY(prepared, prepare(job.model, {job.selection, job.set, job.cleanup}, job.inference,
                        job.changes, job.diagnostics));
  job.selection = std::move(prepared.selection);
  job.set = std::move(prepared.set);
  job.cleanup = prepared.cleanup;
  return Unit{};
}

Status fill_tables(GraphJob& job) {
  return job.become(with_restored_tables(job.model, job.unfilled));
}

Status set_values(GraphJob& job) {
  return job.become(with_set_values(job.model, job.set, job.selection, job.inlines_calls, job.ops,
                                    job.converted, job.diagnostics));
}

Status take_single_replica(GraphJob& job) {
  if (!job.inference) return Unit{};
  job.model = with_single_replica(job.model, job.changes);
  job.model = without_training_loops(job.model, job.selection.outputs, job.changes);
  return Unit{};
}

Status use_stored_values(GraphJob& job) {
  if (!job.inference) return Unit{};
  add_averages(job.model.graph, job.averages);
  job.model = with_moving_averages(job.model, job.changes);
  job.model = with_stored_ranges(job.model, job.changes);
  return Unit{};
}

Status choose_outputs(GraphJob& job) {
  TRY(chosen, with_chosen_outputs(job.model, job.selection, job.diagnostics));
  job.selection = std::move(chosen);
  return Unit{};
}

std::optional<Model> without_captures(const GraphJob& job) {
  if (job.set.empty() && !job.has_constant_branches) return std::nullopt;
  return without_unused_captures(job.model, job.selection.outputs);
}

std::optional<Model> without_constant_branches(GraphJob& job, const Selection& ends) {
  if (!job.inference) return std::nullopt;
  Diagnostics found;
  Result<Model> folded = with_constant_branches(job.model, ends, job.ops, found);
  if (!folded || &folded->graph.index() == &job.model.graph.index()) return std::nullopt;
  for (const Diagnostic& each : found.all()) job.diagnostics.add(each);
  add_taken_branches(job.model.graph, folded->graph, job.changes);
  job.has_constant_branches = true;
  return std::move(*folded);
}

Status remove_dropout(GraphJob& job) {
  if (job.inference) job.model = without_dropout(job.model, job.changes);
  return Unit{};
}

Status list_variables(GraphJob& job) {
  if (job.model.graph.is_as_read()) return Unit{};
  return job.become(with_listed_variables(job.model, job.opened));
}

Status make_cleanups(GraphJob& job) {
  return job.become(clean(job.model, job.cleanup, job.selection.outputs, job.ops, job.diagnostics));
}

Status clean_up(GraphJob& job) {
  if (job.inference) {
    report_inference(job.model, job.selection.outputs, job.changes, job.averages, job.diagnostics);
  }
  job.model = job.without_stale_shapes();
  return make_cleanups(job);
}

}  // namespace cryo
