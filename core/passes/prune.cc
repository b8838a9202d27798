#include "passes/prune.h"

#include "passes/common/new_model.h"
#include "passes/common/restored_tables.h"
#include "passes/common/select_outputs.h"
#include "passes/inference/batch_statistics.h"
#include "passes/inference/dropout.h"
#include "passes/inference/inference.h"
#include "passes/inline/stale_output_shapes.h"
#include "passes/prune/cleanup.h"
#include "passes/prune/pruner.h"
#include "passes/set/set_values.h"
#include "passes/set/unused_captures.h"
#include "passes/tf_compat/like_tensorflow.h"
#include "passes/variables/listed_variables.h"

namespace cryo {
namespace {

// Prunes what only unused captures of loops and calls need (passes/set/unused_captures.h).
Result<Model> pruned_of_captures(const Model& model, const Ends& ends, const OpRegistry* ops,
                                 PassLog& log) {
  const auto trimmed = without_unused_captures(model, ends.outputs);
  return trimmed ? prune_to_ends(*trimmed, ends, ops, log) : Result<Model>(model);
}

Result<Model> pruned(const Model& model, const PruneOptions& options, const OpRegistry* ops,
                     PassLog& log) {
  TRY(prepared,
      prepare(model, {options.selection, options.set, options.cleanup}, options.inference, log));
  const auto& [selection, values, cleanup] = prepared;
  TRY(set, with_set_values(model, values, selection, true, ops, log));
  if (options.like_tensorflow) {
    TRY(chosen, with_chosen_outputs(set, selection, log));
    TRY(made, prune_like_tensorflow(set, chosen.outputs, ops));
    return clean(made, cleanup, chosen.outputs, ops, log);
  }
  std::vector<Diagnostic> unfilled;
  const Model averaged = options.inference ? with_moving_averages(set, log) : set;
  TRY(filled, with_restored_tables(averaged, unfilled));
  TRY(chosen, with_chosen_outputs(filled, selection, log));
  TRY(made, prune_to_ends(filled, {chosen}, ops, log));
  for (Diagnostic& each : unfilled_tables(unfilled, made.graph)) {
    each.severity = Severity::kWarning;
    log.diagnostics.add(std::move(each));
  }
  const Ends again = only_outputs(chosen.outputs);
  if (options.inference) {
    TRY(plain, prune_to_ends(without_dropout(made, log), again, ops, log));
    made = std::move(plain);
  }
  if (!values.empty()) {
    TRY(needed, pruned_of_captures(made, again, ops, log));
    made = std::move(needed);
  }
  if (options.inference) report_inference(made, log);
  if (!made.graph.is_as_read()) {
    TRY(listed, with_listed_variables(made, model));
    made = without_stale_output_shapes(listed, model.graph, ops);
  }
  return clean(made, cleanup, chosen.outputs, ops, log);
}

}  // namespace

Result<Model> prune(const Model& model, const PruneOptions& options, const OpRegistry* ops,
                    PassLog& log) {
  return new_model(model, log, [&](const Model& own) { return pruned(own, options, ops, log); });
}

}  // namespace cryo
