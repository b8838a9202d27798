#include "passes/freeze/freeze.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "model/meta.h"
#include "passes/common/averaged_weights.h"
#include "passes/common/freeze_record.h"
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
#include "passes/inference/batch_statistics.h"
#include "passes/inference/dropout.h"
#include "passes/inference/inference.h"
#include "passes/inline/inline.h"
#include "passes/inline/stale_output_shapes.h"
#include "passes/optimize/optimize.h"
#include "passes/prune/cleanup.h"
#include "passes/prune/kept_variables.h"
#include "passes/prune/pruner.h"
#include "passes/set/fold_branches.h"
#include "passes/set/set_values.h"
#include "passes/set/unused_captures.h"
#include "passes/tf_compat/like_tensorflow.h"
#include "passes/variables/listed_variables.h"

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

// A freeze on its way: each stage replaces `model_` by what it makes of it.
class Freezer {
 public:
  Freezer(const Model& model, FreezeOptions options, const OpData& data, PassLog& log)
      : opened_(model),
        options_(std::move(options)),
        data_(data),
        log_(log),
        model_(model),
        inlines_(model.kind == Kind::kSavedModel) {}

  Result<Model> run() {
    for (const Stage stage : kStages) CHECK_OK((this->*stage)());
    return std::move(model_);
  }

 private:
  using Stage = Status (Freezer::*)();

  Status find_target();
  Status rename_keys();
  Status fill_tables();
  Status set_values();
  Status use_moving_averages();
  Status inline_for_ends();
  Status choose_outputs();
  Status keep_loadable_variables();
  Status prune_to_chosen();
  Status inline_by_signatures();
  Status remove_dropout();
  Status find_initializers();
  Status drop_unseen_updates();
  Status replace_frozen_variables();
  Status fold_asset_tables();
  Status lower_branches_and_loops();
  Status list_what_is_left();
  Status clean_up();
  Status optimize();
  Status fit_target();

  static constexpr std::array<Stage, 20> kStages = {
      &Freezer::find_target,
      &Freezer::rename_keys,
      &Freezer::fill_tables,
      &Freezer::set_values,
      &Freezer::use_moving_averages,
      &Freezer::inline_for_ends,
      &Freezer::choose_outputs,
      &Freezer::keep_loadable_variables,
      &Freezer::prune_to_chosen,
      &Freezer::inline_by_signatures,
      &Freezer::remove_dropout,
      &Freezer::find_initializers,
      &Freezer::drop_unseen_updates,
      &Freezer::replace_frozen_variables,
      &Freezer::fold_asset_tables,
      &Freezer::lower_branches_and_loops,
      &Freezer::list_what_is_left,
      &Freezer::clean_up,
      &Freezer::optimize,
      &Freezer::fit_target,
  };

  Status become(Result<Model> made);
  Status prune_again(const Model& model, const std::vector<std::string>& keep);
  Ends keeping(const std::vector<std::string>& nodes) const;

  const Model& opened_;
  FreezeOptions options_;  // outputs and signatures become those that were chosen
  const OpData& data_;
  PassLog& log_;
  Model model_;
  std::optional<TargetRelease> target_;  // of `for_release`
  bool inlines_;                      // calls become plain nodes; ends get their signature's names
  bool calls_ = false;                // there were calls to inline
  bool runs_init_ = false;            // TensorFlow runs the init op when it loads the model
  std::vector<Diagnostic> unfilled_;  // tables that nothing fills
  std::vector<std::string> roots_;    // initializers, until it is known which are needed
  std::vector<std::string> kept_;     // nodes for variables that remain, and to be run at load time
  Initializers initializers_;
};

Status Freezer::become(Result<Model> made) {
  if (!made) return std::move(made).failure();
  model_ = std::move(*made);
  return Unit{};
}

Ends Freezer::keeping(const std::vector<std::string>& nodes) const {
  return {options_.selection, nodes};
}

// Keeps the nodes that the outputs, which a stage may have renamed, need now.
Status Freezer::prune_again(const Model& model, const std::vector<std::string>& keep) {
  return become(prune_to_outputs(model, without_inputs(keeping(keep)), data_.ops, log_));
}

Status Freezer::find_target() {
  if (options_.for_release.empty()) return Unit{};
  TRY(target, find_release(options_.for_release, data_.ops, data_.histories));
  target_ = std::move(target);
  return Unit{};
}

Status Freezer::rename_keys() { return become(with_renamed_keys(model_, options_.rename, log_)); }

Status Freezer::fill_tables() { return become(with_restored_tables(model_, unfilled_)); }

// The calls of a SavedModel are inlined below, with the names of its signatures.
Status Freezer::set_values() {
  CHECK_OK(become(with_set_values(model_, options_.set, options_.selection,
                                  !options_.no_inline && !inlines_, data_.ops, log_)));
  calls_ = has_calls(model_.graph);
  roots_ = initializer_roots(model_);
  runs_init_ = runs_init_op(model_);
  return Unit{};
}

Status Freezer::use_moving_averages() {
  if (options_.inference) model_ = with_moving_averages(model_, log_);
  return Unit{};
}

Status Freezer::inline_for_ends() {
  const bool keeps_calls = options_.no_inline && !inlines_;
  if (keeps_calls || !ends_within_calls(model_, options_.selection)) return Unit{};
  return become(inline_calls(model_, keeping(roots_), options_.no_inline, data_.ops, log_));
}

Status Freezer::choose_outputs() {
  if (options_.variables.is_partial()) CHECK_OK(check_variable_globs(model_, options_.variables));
  TRY(chosen, with_chosen_outputs(model_, options_.selection, log_));
  options_.selection = std::move(chosen);
  return Unit{};
}

Status Freezer::keep_loadable_variables() {
  if (!options_.variables.is_partial()) return Unit{};
  TRY(loadable, keep_loadable(model_, {options_.selection}, options_.variables, data_.ops));
  model_ = std::move(loadable.model);
  kept_ = std::move(loadable.nodes);
  return Unit{};
}

Status Freezer::prune_to_chosen() {
  Ends ends = keeping(roots_);
  add(ends.keep, kept_);
  CHECK_OK(become(prune_to_outputs(model_, ends, data_.ops, log_)));
  if (options_.set.empty()) return Unit{};
  if (auto trimmed = without_unused_captures(model_, options_.selection.outputs))
    model_ = std::move(*trimmed);
  return Unit{};
}

// Inlines calls and folds branches in turn: inlining makes further branches constant, and a folded
// branch is a further call.
Status Freezer::inline_by_signatures() {
  if (!inlines_) return Unit{};
  TRY(named, name_by_signatures(model_, options_.selection, data_.ops, log_));
  model_ = std::move(named.model);
  options_.selection.outputs = log_.outputs = std::move(named.outputs);
  Ends ends = keeping(roots_);
  add(ends.keep, kept_);
  const auto inlined = [&] {
    return inline_calls(model_, ends, options_.no_inline, data_.ops, log_);
  };
  CHECK_OK(become(inlined()));
  while (!options_.set.empty()) {
    TRY(folded, fold_branches(model_, options_.set, ends, log_));
    model_ = std::move(folded.model);
    if (folded.calls.empty()) break;
    CHECK_OK(become(inlined()));
  }
  return Unit{};
}

// The next pruning removes the nodes that only dropout needed.
Status Freezer::remove_dropout() {
  if (options_.inference) model_ = without_dropout(model_, log_);
  return Unit{};
}

Status Freezer::find_initializers() {
  TRY(loaded, keep_initializers(model_, options_.selection.outputs, roots_, options_.no_inline,
                                runs_init_, log_, initializers_));
  add(initializers_.keep, kept_);
  CHECK_OK(prune_again(loaded, initializers_.keep));
  unfilled_ = unfilled_tables(unfilled_, model_.graph);
  if (!unfilled_.empty()) return unfilled_.front();
  add(kept_, initializers_.init);
  return Unit{};
}

Status Freezer::drop_unseen_updates() {
  const std::vector<std::string>& outputs = options_.selection.outputs;
  find_always_assigned(model_, outputs, options_.variables, log_, initializers_);
  const auto still = without_dead_updates(model_, outputs, options_.variables, initializers_, log_);
  return still ? prune_again(*still, kept_) : Unit{};
}

Status Freezer::replace_frozen_variables() {
  TRY(values, frozen_values(model_, options_.variables, initializers_, log_.diagnostics));
  if (values.empty()) {
    log_.diagnostics.note("no-variables",
                          options_.variables.is_partial()
                              ? "the outputs need no variables that are to be frozen"
                              : "the outputs need no variables: there is nothing to freeze");
    return Unit{};
  }
  std::unordered_set<std::string> names;
  for (const auto& [name, value] : values) names.insert(name);
  const FreezeRecords records = options_.no_record ? FreezeRecords() : records_of(opened_, names);
  TRY(made, replace_variables(model_, options_.selection.outputs, values,
                              options_.no_record ? nullptr : &records, initializers_, log_));
  TRY(sunk, sink_weights(made));
  const bool inlined = inlines_ && (calls_ || !initializers_.assigns.empty());
  return prune_again(inlined ? without_redundant_control_inputs(sunk) : sunk, kept_);
}

Status Freezer::fold_asset_tables() {
  if (!options_.fold_assets) return Unit{};
  TRY(folded, fold_assets(model_, log_));
  return prune_again(folded, kept_);
}

Status Freezer::lower_branches_and_loops() {
  const bool lowers = options_.lower_control_flow || (target_ && needs_lowering(model_, *target_));
  if (!lowers) return Unit{};
  TRY(plain, lower_control_flow(model_, {options_.selection}, options_.no_inline, data_.ops, log_));
  return prune_again(without_redundant_control_inputs(plain), kept_);
}

Status Freezer::list_what_is_left() {
  CHECK_OK(become(with_listed_variables(model_, opened_)));
  drop_object_graph(model_);
  report_assets(model_, log_);
  warn_of_pipelines(model_, options_.selection.outputs, log_);
  return Unit{};
}

Status Freezer::clean_up() {
  if (options_.inference) report_inference(model_, log_);
  return become(clean(without_stale_output_shapes(model_, opened_.graph, data_.ops),
                      options_.cleanup, options_.selection.outputs, data_.ops, log_));
}

// Nodes that differ in an Identity, a device or a default before cleaning are merged after it.
Status Freezer::optimize() {
  if (!options_.optimization.is_requested()) return Unit{};
  return become(cryo::optimize(model_, options_.optimization, keeping(kept_), data_.ops, log_));
}

Status Freezer::fit_target() {
  if (!target_) return Unit{};
  return become(fit_to(*target_, model_, options_.selection.outputs, *data_.ops, log_));
}

Result<Model> frozen(const Model& model, const FreezeOptions& options, const OpData& data,
                     PassLog& log) {
  TRY(prepared,
      prepare(model, {options.selection, options.set, options.cleanup}, options.inference, log));
  if (options.like_tensorflow) {
    TRY(chosen, with_chosen_outputs(model, prepared.selection, log));
    TRY(made, freeze_like_tensorflow(model, chosen.outputs, data.ops, log));
    return clean(made, prepared.cleanup, chosen.outputs, data.ops, log);
  }
  FreezeOptions own = options;
  own.selection = std::move(prepared.selection);
  own.set = std::move(prepared.set);
  own.cleanup = prepared.cleanup;
  TRY(by_node, with_variables_by_node(model, options.variables));
  own.variables = std::move(by_node);
  if (!options.ema) return Freezer(model, std::move(own), data, log).run();
  TRY(averaged, with_averaged_weights(model, log));
  return Freezer(averaged, std::move(own), data, log).run();
}

}  // namespace

Result<Model> freeze(const Model& model, const FreezeOptions& options, const OpData& data,
                     PassLog& log) {
  return new_model(model, log, [&](const Model& own) { return frozen(own, options, data, log); });
}

}  // namespace cryo
