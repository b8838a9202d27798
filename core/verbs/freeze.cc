#include "verbs/freeze.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "model/meta.h"
#include "passes/common/averaged_weights.h"
#include "passes/common/freeze_record.h"
#include "passes/common/function_entry.h"
#include "passes/common/initializers.h"
#include "passes/common/new_model.h"
#include "passes/common/restored_tables.h"
#include "passes/common/select_outputs.h"
#include "passes/freeze/always_assigned.h"
#include "passes/freeze/dead_updates.h"
#include "passes/freeze/folded_assets.h"
#include "passes/freeze/for_release.h"
#include "passes/freeze/redundant_control_inputs.h"
#include "passes/freeze/renamed_keys.h"
#include "passes/freeze/replaced_variables.h"
#include "passes/freeze/signature_names.h"
#include "passes/freeze/sink_weights.h"
#include "passes/inline/inline.h"
#include "passes/optimize/optimize.h"
#include "passes/prune/cleanup.h"
#include "passes/prune/kept_variables.h"
#include "passes/prune/pruner.h"
#include "passes/set/fold_branches.h"
#include "passes/set/set_values.h"
#include "passes/tf_compat/like_tensorflow.h"
#include "verbs/graph_job.h"
#include "verbs/pipeline.h"

namespace cryo {
namespace {

// Returns the calls of a graph that inlining replaces.
std::vector<bool> find_calls(const Graph& graph) {
  std::unordered_set<std::string_view> functions;
  for (const Function& each : graph.functions()) functions.insert(each.name);
  std::vector<bool> calls;
  for (const Node& node : graph.nodes()) {
    calls.push_back(is_call(node.op) || functions.contains(node.op));
  }
  return calls;
}

bool has_calls(const Graph& graph) {
  const std::vector<bool> calls = find_calls(graph);
  return std::find(calls.begin(), calls.end(), true) != calls.end();
}

// Returns true if a requested end exists only after inlining: "StatefulPartitionedCall/dense/Relu".
bool ends_within_calls(const Model& model, const Selection& ends) {
  const NodeNames& names = model.graph.index().names();
  const std::vector<bool> calls = find_calls(model.graph);
  const auto is_within = [&](const std::string& end) {
    const std::string_view name = parse_tensor_name(end).node;
    if (names.find(name) != kNoNode) return false;
    for (size_t at = name.find('/'); at != std::string_view::npos; at = name.find('/', at + 1)) {
      const uint32_t around = names.find(name.substr(0, at));
      if (around != kNoNode && calls[around]) return true;
    }
    return false;
  };
  return std::any_of(ends.outputs.begin(), ends.outputs.end(), is_within) ||
         std::any_of(ends.inputs.begin(), ends.inputs.end(), is_within);
}

void add(std::vector<std::string>& names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
}

// A freeze on its way, with the facts that its stages leave for later ones.
struct FreezeJob : GraphJob {
  const FreezeOptions& options;
  std::string_view histories;  // core/data/op_histories.bin
  VariableSelection variables = options.variables;
  bool inlines = opened.kind == Kind::kSavedModel;  // ends get their signature's names
  std::optional<TargetRelease> target = {};         // of `for_release`
  bool calls = false;                               // there were calls to inline
  bool runs_init = false;               // TensorFlow runs the init op when it loads the model
  std::vector<std::string> roots = {};  // initializers, until it is known which are needed
  std::vector<std::string> kept = {};   // for variables that remain, and to be run at load time
  Initializers initializers = {};

  Ends keeping(const std::vector<std::string>& nodes) const { return {selection, nodes}; }
  Ends keeping_roots() const;
  Status inline_all(const Ends& ends);
  Status prune_again(const Model& changed, const std::vector<std::string>& keep);
};

Ends FreezeJob::keeping_roots() const {
  Ends ends = keeping(roots);
  add(ends.keep, kept);
  return ends;
}

Status FreezeJob::inline_all(const Ends& ends) {
  return become(inline_calls(model, ends, options.no_inline, ops, diagnostics));
}

// Keeps the nodes that the outputs, which a stage may have renamed, need now.
Status FreezeJob::prune_again(const Model& changed, const std::vector<std::string>& keep) {
  return become(prune_to_outputs(changed, without_inputs(keeping(keep)), ops, diagnostics));
}

Status find_target(FreezeJob& job) {
  if (job.options.for_release.empty()) return Unit{};
  TRY(target, find_release(job.options.for_release, job.ops, job.histories));
  job.target = std::move(target);
  return Unit{};
}

Status choose_variables(FreezeJob& job) {
  TRY(by_node, with_variables_by_node(job.model, job.options.variables));
  job.variables = std::move(by_node);
  return Unit{};
}

Status average_weights(FreezeJob& job) {
  if (!job.options.ema) return Unit{};
  CHECK_OK(job.become(with_averaged_weights(job.model, job.diagnostics)));
  job.opened = job.model;
  return Unit{};
}

Status rename_keys(FreezeJob& job) {
  return job.become(with_renamed_keys(job.model, job.options.rename, job.diagnostics));
}

Status find_roots(FreezeJob& job) {
  job.calls = has_calls(job.model.graph);
  job.roots = initializer_roots(job.model);
  job.runs_init = runs_init_op(job.model);
  return Unit{};
}

void name_ends(FreezeJob& job) {
  NamedModel named = name_by_signatures(job.model, job.selection, job.ops, job.diagnostics);
  job.model = std::move(named.model);
  job.selection.outputs = std::move(named.outputs);
}

// The calls of a SavedModel are inlined below; for an end within them, here. Its outputs get their
// names while the calls are there.
Status inline_for_ends(FreezeJob& job) {
  const bool keeps_calls = job.options.no_inline && !job.inlines;
  if (keeps_calls || !ends_within_calls(job.model, job.selection)) return Unit{};
  if (job.inlines) {
    CHECK_OK(choose_outputs(job));
    job.selection.by_signature = !job.selection.signatures.empty();
    name_ends(job);
  }
  return job.inline_all(job.keeping(job.roots));
}

Status check_variables(FreezeJob& job) {
  if (!job.variables.is_partial()) return Unit{};
  return check_variable_globs(job.model, job.variables);
}

Status keep_loadable_variables(FreezeJob& job) {
  if (!job.variables.is_partial()) return Unit{};
  TRY(loadable, keep_loadable(job.model, {job.selection}, job.variables, job.ops));
  job.model = std::move(loadable.model);
  job.kept = std::move(loadable.nodes);
  return Unit{};
}

Status prune_to_chosen(FreezeJob& job) {
  return job.become(prune_to_outputs(job.model, job.keeping_roots(), job.ops, job.diagnostics));
}

Status fold_branches_by_constants(FreezeJob& job) {
  const Ends ends = job.keeping_roots();
  const auto folded = without_constant_branches(job, ends);
  return folded ? job.prune_again(*folded, ends.keep) : Unit{};
}

Status drop_captures(FreezeJob& job) {
  if (auto trimmed = without_captures(job)) job.model = std::move(*trimmed);
  return Unit{};
}

// Sets values in what was inlined: of variables that are set, and of further training switches.
Status set_inlined(FreezeJob& job) {
  CHECK_OK(job.become(with_set_variables(job.model, job.set)));
  if (!job.inference) return Unit{};
  std::vector<std::string> set = job.set;
  add_switches(job.model, job.selection.inputs, set, job.changes, job.diagnostics);
  const std::vector<std::string> further(set.begin() + static_cast<ptrdiff_t>(job.set.size()),
                                         set.end());
  job.set = std::move(set);
  CHECK_OK(job.become(with_set_values(job.model, further, only_outputs(job.selection.outputs), true,
                                      job.ops, job.converted, job.diagnostics)));
  return use_stored_values(job);
}

// Inlines calls and folds branches in turn: inlining makes further branches constant, and a folded
// branch is a further call.
Status inline_by_signatures(FreezeJob& job) {
  if (!job.inlines) return Unit{};
  name_ends(job);
  const Ends ends = job.keeping_roots();
  CHECK_OK(job.inline_all(ends));
  if (job.calls) CHECK_OK(set_inlined(job));
  while (!job.set.empty()) {
    TRY(folded, fold_branches(job.model, job.set, ends, job.diagnostics));
    job.model = std::move(folded.model);
    if (folded.calls.empty()) break;
    CHECK_OK(job.inline_all(ends));
  }
  return Unit{};
}

Status find_initializers(FreezeJob& job) {
  const Model loaded =
      keep_initializers(job.model, job.selection.outputs, job.roots, job.options.no_inline,
                        job.runs_init, job.diagnostics, job.initializers);
  add(job.initializers.keep, job.kept);
  CHECK_OK(job.prune_again(loaded, job.initializers.keep));
  job.unfilled = unfilled_tables(job.unfilled, job.model.graph);
  if (!job.unfilled.empty()) return job.unfilled.front();
  add(job.kept, job.initializers.init);
  return Unit{};
}

Status drop_unseen_updates(FreezeJob& job) {
  const std::vector<std::string>& outputs = job.selection.outputs;
  find_always_assigned(job.model, outputs, job.variables, job.diagnostics, job.initializers);
  const auto still =
      without_dead_updates(job.model, outputs, job.variables, job.initializers, job.diagnostics);
  return still ? job.prune_again(*still, job.kept) : Unit{};
}

// Gives the variables that are set, and that functions read, their values.
Status set_frozen_values(const FreezeJob& job, FrozenValues& values) {
  for (const std::string& text : job.set) {
    const auto found = values.find(std::string(set_node(text)));
    if (found == values.end()) continue;
    const Node& node = job.model.graph.nodes()[found->second.variable.node];
    TRY(value, value_for(node, found->second.variable.shape, text, *job.model.payloads));
    TRY(tensor, read_tensor(value.proto, *job.model.payloads));
    found->second.tensor = std::move(tensor);
  }
  return Unit{};
}

Status replace_frozen_variables(FreezeJob& job) {
  TRY(values, frozen_values(job.model, job.variables, job.initializers, job.diagnostics));
  CHECK_OK(set_frozen_values(job, values));
  if (values.empty()) {
    job.diagnostics.note("no-variables",
                         job.variables.is_partial()
                             ? "the outputs need no variables that are to be frozen"
                             : "the outputs need no variables: there is nothing to freeze");
    return Unit{};
  }
  std::unordered_set<std::string> names;
  for (const auto& [name, value] : values) names.insert(name);
  const bool recorded = !job.options.no_record;
  const FreezeRecords records = recorded ? records_of(job.opened, names) : FreezeRecords();
  TRY(made, replace_variables(job.model, job.selection.outputs, values,
                              recorded ? &records : nullptr, job.initializers, job.converted));
  TRY(sunk, sink_weights(made));
  const bool inlined = job.inlines && (job.calls || !job.initializers.assigns.empty());
  return job.prune_again(inlined ? without_redundant_control_inputs(sunk) : sunk, job.kept);
}

// The values of variables are constants now.
Status fold_frozen_branches(FreezeJob& job) {
  const auto folded = without_constant_branches(job, job.keeping(job.kept));
  return folded ? job.prune_again(*folded, job.kept) : Unit{};
}

Status fold_asset_tables(FreezeJob& job) {
  if (!job.options.fold_assets) return Unit{};
  TRY(folded, fold_assets(job.model, job.diagnostics));
  return job.prune_again(folded, job.kept);
}

Status lower_branches_and_loops(FreezeJob& job) {
  const bool lowers =
      job.options.lower_control_flow || (job.target && needs_lowering(job.model, *job.target));
  if (!lowers) return Unit{};
  TRY(plain, lower_control_flow(job.model, {job.selection}, job.options.no_inline, job.ops,
                                job.diagnostics));
  return job.prune_again(without_redundant_control_inputs(plain), job.kept);
}

Status report_needs(FreezeJob& job) {
  drop_object_graph(job.model);
  report_assets(job.model, job.diagnostics);
  warn_of_pipelines(job.model, job.selection.outputs, job.diagnostics);
  return Unit{};
}

// Nodes that differ in an Identity, a device or a default before cleaning are merged after it.
Status make_faster(FreezeJob& job) {
  const Optimization& optimization = job.options.optimization;
  if (!optimization.is_requested()) return Unit{};
  return job.become(optimize(job.model, optimization, job.keeping(job.kept), job.ops, job.changes,
                             job.diagnostics));
}

Status fit_target(FreezeJob& job) {
  if (!job.target) return Unit{};
  return job.become(fit_to(*job.target, job.model, job.selection.outputs, *job.ops, job.changes,
                           job.diagnostics));
}

// A stage that `prune` has as well.
template <Status (*kRun)(GraphJob&)>
constexpr Stage<FreezeJob> shared(std::string_view name) {
  return {name, [](FreezeJob& job) { return kRun(job); }};
}

constexpr Stage<FreezeJob> kFreezeStages[] = {
    shared<complete_options>("complete options"),
    {"choose variables", choose_variables},
    {"average weights", average_weights},
    {"find release", find_target},
    {"rename keys", rename_keys},
    shared<fill_tables>("fill tables"),
    shared<take_single_replica>("take single replica"),
    shared<set_values>("set values"),
    {"find roots", find_roots},
    shared<use_stored_values>("use stored values"),
    {"inline for ends", inline_for_ends},
    {"check variables", check_variables},
    shared<choose_outputs>("choose outputs"),
    {"keep variables", keep_loadable_variables},
    {"prune", prune_to_chosen},
    {"fold branches", fold_branches_by_constants},
    {"drop captures", drop_captures},
    {"inline", inline_by_signatures},
    shared<remove_dropout>("remove dropout"),
    {"find initializers", find_initializers},
    {"drop updates", drop_unseen_updates},
    {"replace variables", replace_frozen_variables},
    {"fold frozen branches", fold_frozen_branches},
    {"fold assets", fold_asset_tables},
    {"lower control flow", lower_branches_and_loops},
    shared<list_variables>("list variables"),
    {"report needs", report_needs},
    shared<clean_up>("clean up"),
    {"optimize", make_faster},
    {"fit release", fit_target},
};

Status run_freeze_graph(FreezeJob& job) {
  return job.become(
      freeze_like_tensorflow(job.model, job.selection.outputs, job.ops, job.converted));
}

constexpr Stage<FreezeJob> kLikeFreezeGraph[] = {
    shared<complete_options>("complete options"),
    shared<choose_outputs>("choose outputs"),
    {"freeze graph", run_freeze_graph, true},
    shared<make_cleanups>("clean up"),
};

}  // namespace

Result<GraphResult> freeze(const Model& model, const FreezeOptions& options, const OpData& data,
                           Diagnostics& diagnostics) {
  return new_model(model, [&](const Model& own) -> Result<GraphResult> {
    const bool inlines_calls = !options.no_inline && own.kind != Kind::kSavedModel;
    TRY(entered, with_function_entry(own, options.selection.function));
    FreezeJob job{{entered, data.ops, diagnostics, with_entry_signature(options.selection),
                   options.set, options.cleanup, options.inference, inlines_calls},
                  options,
                  data.histories};
    CHECK_OK(options.like_tensorflow ? run_stages<FreezeJob>(kLikeFreezeGraph, job)
                                     : run_stages<FreezeJob>(kFreezeStages, job));
    return std::move(job).result();
  });
}

}  // namespace cryo
