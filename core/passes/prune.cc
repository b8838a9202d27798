#include "passes/prune.h"

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
Result<Model> pruned_of_captures(const Model& model, const PassOptions& options, PassLog& log) {
  if (options.set.empty()) return model;
  const auto trimmed = without_unused_captures(model, options.outputs);
  return trimmed ? prune_to_ends(*trimmed, options, log) : Result<Model>(model);
}

Result<Model> pruned_of_dropout(const Model& model, const PassOptions& options, PassLog& log) {
  if (!options.inference) return model;
  return prune_to_ends(without_dropout(model, log), options, log);
}

}  // namespace

Result<Model> prune(const Model& model, const PassOptions& options, PassLog& log) {
  TRY(ended, with_outputs_before_set(model, options, log));
  TRY(served, with_inference_options(model, ended, log));
  TRY(resolved, with_auto_inputs(model, served, log));
  TRY(set, with_set_values(model, resolved, true, log));
  if (options.like_tensorflow) {
    TRY(chosen, with_chosen_outputs(set, resolved, log));
    TRY(made, prune_like_tensorflow(set, chosen));
    return cleaned(made, chosen, log);
  }
  std::vector<Diagnostic> unfilled;
  const Model averaged = options.inference ? with_moving_averages(set, log) : set;
  TRY(filled, with_restored_tables(averaged, unfilled));
  TRY(chosen, with_chosen_outputs(filled, resolved, log));
  TRY(made, prune_to_ends(filled, chosen, log));
  for (Diagnostic& each : unfilled_tables(unfilled, made.graph)) {
    each.severity = Severity::kWarning;
    log.diagnostics.add(std::move(each));
  }
  const PassOptions again = without_inputs(chosen);
  TRY(plain, pruned_of_dropout(made, again, log));
  TRY(needed, pruned_of_captures(plain, again, log));
  if (options.inference) report_inference(needed, log);
  if (needed.graph.is_as_read()) return cleaned(needed, again, log);
  TRY(listed, with_listed_variables(needed, model));
  return cleaned(without_stale_output_shapes(listed, model.graph, options.ops), again, log);
}

}  // namespace cryo
