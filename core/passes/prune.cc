#include "passes/prune.h"

#include "passes/common/restored_tables.h"
#include "passes/common/select_outputs.h"
#include "passes/inline/contradicted_shapes.h"
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

}  // namespace

Result<Model> prune(const Model& model, const PassOptions& options, PassLog& log) {
  TRY(resolved, with_auto_inputs(model, options, log));
  TRY(set, with_set_values(model, resolved, true, log));
  if (options.like_tensorflow) {
    TRY(chosen, with_chosen_outputs(set, resolved, log));
    TRY(made, prune_like_tensorflow(set, chosen));
    return cleaned(made, chosen, log);
  }
  std::vector<Diagnostic> unfilled;
  TRY(filled, with_restored_tables(set, unfilled));
  TRY(chosen, with_chosen_outputs(filled, resolved, log));
  TRY(made, prune_to_ends(filled, chosen, log));
  for (Diagnostic& each : unfilled_tables(unfilled, made.graph)) {
    each.severity = Severity::kWarning;
    log.diagnostics.add(std::move(each));
  }
  const PassOptions again = without_inputs(chosen);
  TRY(needed, pruned_of_captures(made, again, log));
  if (needed.graph.is_as_read()) return cleaned(needed, again, log);
  TRY(listed, with_listed_variables(needed, model));
  return cleaned(without_contradicted_shapes(listed, model.graph, options.ops), again, log);
}

}  // namespace cryo
