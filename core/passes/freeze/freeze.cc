#include "passes/freeze/freeze.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/common/freeze_record.h"
#include "passes/common/joined_failure.h"
#include "passes/common/loading.h"
#include "passes/common/restored_tables.h"
#include "passes/freeze/always_assigned.h"
#include "passes/freeze/dead_updates.h"
#include "passes/freeze/folded_assets.h"
#include "passes/freeze/frozen_functions.h"
#include "passes/freeze/frozen_nodes.h"
#include "passes/freeze/idle_controls.h"
#include "passes/freeze/renamed_keys.h"
#include "passes/freeze/signature_names.h"
#include "passes/freeze/sunk_weights.h"
#include "passes/inline/inline.h"
#include "passes/prune/kept_variables.h"
#include "passes/prune/prune.h"
#include "passes/set/fold_branches.h"
#include "passes/set/set_values.h"
#include "passes/tf_compat/like_tensorflow.h"
#include "passes/variables/listed_variables.h"
#include "passes/variables/variable_nodes.h"
#include "tensor/content.h"

namespace cryo {
namespace {

struct Value {
  Variable variable;
  Tensor tensor;
  std::string first = {};  // the tensor that it is assigned when the model is loaded
};
using Values = std::map<std::string, Value>;
using Records = std::map<std::string, FreezeRecord>;

// Every variable of the graph that is to be frozen, with its value.
Result<Values> values_of(const Model& model, const PassOptions& options, const Loading& loading,
                         Diagnostics& diagnostics) {
  Values values;
  std::vector<Diagnostic> failures;
  for (Variable& variable : variables_of(model)) {
    const bool stays = stays_variable(options, variable.name);
    report_init_op(variable, stays, loading, diagnostics);
    if (const auto first = loading.first.find(variable.name); first != loading.first.end()) {
      values.emplace(first->first, Value{std::move(variable), {}, first->second});
      continue;
    }
    if (stays) continue;
    Result<Tensor> tensor = value_of(model, variable);
    if (!tensor) {
      failures.push_back(tensor.error());
      continue;
    }
    const std::string name = variable.name;
    values.emplace(name, Value{std::move(variable), std::move(*tensor)});
  }
  if (failures.empty()) return values;
  return joint_failure(failures);
}

class Freezer {
 public:
  Freezer(const Model& pruned, const Values& values, const Records* records, const Loading& loading,
          PassLog& log)
      : model_(pruned),
        values_(values),
        records_(records),
        loading_(loading),
        log_(log),
        nodes_(pruned.graph.nodes()),
        names_(pruned.graph.index().names()),
        edges_(pruned.graph.index().edges()),
        functions_(pruned.graph, *pruned.payloads),
        uses_(nodes_, names_, edges_, functions_),
        frozen_(nodes_, uses_, names_, *pruned.payloads, false) {}

  Result<Model> run();

 private:
  Status add(GraphBuilder& builder, uint32_t index);
  Result<std::string> constant(const Node& node, const Value& value);
  std::string first_value(const Node& node, const Value& value);
  void leave_record(const Node& node, NodeEditor& editor) const;

  std::unordered_set<std::string> staying() const;

  const Model& model_;
  const Values& values_;
  const Records* records_;  // null: none are left
  const Loading& loading_;
  PassLog& log_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  FrozenFunctions functions_;
  FrozenUses uses_;
  FrozenNodes frozen_;
};

// A variable that only loading gives a value, as an Identity of that.
std::string Freezer::first_value(const Node& node, const Value& value) {
  const Variable& variable = value.variable;
  log_.converted.push_back(
      {variable.name, std::string(node.op), "Identity", variable.dtype, variable.shape, 0});
  NodeEditor editor(node.name, "Identity");
  editor.add_input(value.first).set_device(device_of(node));
  return editor.set_attr("T", type_value(static_cast<int>(variable.dtype))).finish();
}

// Writes the record of a variable, or none if un-freezing made the variable from a constant without
// one. A function's body may have brought a variable that the model's records do not have.
void Freezer::leave_record(const Node& node, NodeEditor& editor) const {
  const auto found = find_attr(node, kRecordAttr);
  if (records_ == nullptr || (found && !record_of(node))) {
    editor.erase_attr(kRecordAttr);
  } else if (!found) {
    const auto record = records_->find(std::string(node.name));
    const bool known = record != records_->end();
    editor.set_attr(kRecordAttr,
                    record_value(known ? record->second : FreezeRecord{std::string(node.op)}));
  }
}

// Returns a variable's node as a Const. Attributes for the variable's place are removed; control
// inputs and the device are kept.
Result<std::string> Freezer::constant(const Node& node, const Value& value) {
  if (!value.first.empty()) return first_value(node, value);
  const Tensor& tensor = value.tensor;
  TRY(proto, const_tensor(tensor.dtype, tensor.shape, tensor.content, *model_.payloads));
  NodeEditor editor(node);
  for (const std::string_view attr :
       {"container", "shared_name", "shape", "allowed_devices", "debug_name"}) {
    editor.erase_attr(attr);
  }
  // On a handle they describe the handle, not the value.
  if (value.variable.resource) {
    editor.erase_attr("_output_shapes").rename_attr(kValueShapesAttr, "_output_shapes");
  }
  log_.converted.push_back({value.variable.name, std::string(node.op), "Const", tensor.dtype,
                            tensor.shape, tensor.content.size()});
  leave_record(node, editor);
  editor.set_op("Const").set_attr("dtype", type_value(static_cast<int>(tensor.dtype)));
  return editor.set_attr("value", tensor_value(proto)).finish();
}

Status Freezer::add(GraphBuilder& builder, uint32_t index) {
  const Node& node = nodes_[index];
  if (uses_.of(index).kind == FrozenUse::kVariable) {
    TRY(made, constant(node, values_.at(std::string(node.name))));
    builder.add(std::move(made));
  } else if (frozen_.stays(index)) {
    builder.add(node);
  } else {
    TRY(made, frozen_.made_of(index));
    for (std::string& each : made) builder.add(std::move(each));
  }
  return Unit{};
}

std::unordered_set<std::string> Freezer::staying() const {
  std::unordered_set<std::string> names;
  for (const Node& node : nodes_) {
    const std::string name(node.name);
    if (is_variable(node.op) && values_.count(name) == 0) names.insert(name);
  }
  return names;
}

Result<Model> Freezer::run() {
  const auto stay = staying();
  CHECK_OK(uses_.find(log_.outputs, loading_.assigns, stay));
  GraphBuilder builder(model_.graph);
  for (uint32_t i = 0; i < nodes_.size(); ++i) CHECK_OK(add(builder, i));
  builder.add_functions_of(model_.graph);
  functions_.add_to(builder);
  Model frozen = model_;
  frozen.graph = builder.finish();
  if (stay.empty()) frozen.checkpoint = nullptr;
  drop_frozen_variables(frozen);
  return frozen;
}

// Keeps the nodes that the outputs need now, and `keep`.
Result<Model> pruned_again(const Model& model, const PassOptions& options,
                           const std::vector<std::string>& keep, PassLog& log) {
  PassOptions same = options;
  same.outputs = log.outputs;
  same.inputs = {};
  same.keep = keep;
  return prune_to_outputs(model, same, log);
}

// Returns true if a requested end exists only after inlining: "StatefulPartitionedCall/dense/Relu".
bool ends_within_calls(const Model& model, const PassOptions& options) {
  const NodeNames& names = model.graph.index().names();
  const auto is_missing = [&](const std::string& end) {
    return names.find(parse_tensor_name(end).node) == kNoNode;
  };
  return std::any_of(options.outputs.begin(), options.outputs.end(), is_missing) ||
         std::any_of(options.inputs.begin(), options.inputs.end(), is_missing);
}

// Inlines calls and folds branches in turn: inlining makes further branches constant, and a folded
// branch is a further call.
Result<Model> inlined(const Model& model, const PassOptions& options, PassLog& log) {
  TRY(made, inline_calls(model, options, log));
  Model plain = std::move(made);
  while (!options.set.empty()) {
    TRY(decided, decide(plain, options, log));
    plain = std::move(decided.model);
    if (decided.calls.empty()) break;
    TRY(again, inline_calls(plain, options, log));
    plain = std::move(again);
  }
  return plain;
}

// Returns true if inlining changes the graph.
bool has_calls(const Graph& graph) {
  std::unordered_set<std::string_view> functions;
  for (const Function& each : graph.functions()) functions.insert(each.name);
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](const Node& node) {
    return calls_its_attr(node.op) || functions.contains(node.op);
  });
}

void add(std::vector<std::string>& names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
}

// Returns the nodes that the outputs need, and the initializers for them. A SavedModel's function
// calls become plain nodes, and its ends get their signature's names. `kept`: additional nodes, for
// variables that remain.
Result<Model> prepared(const Model& model, const PassOptions& options, PassLog& log,
                       Loading& loading, std::vector<std::string>& kept) {
  const bool inlines = model.kind == Kind::kSavedModel;
  PassOptions with_loading = options;
  const std::vector<std::string> roots = loading_roots(model);
  with_loading.keep = roots;
  Model plain = model;
  if (inlines && ends_within_calls(model, options)) {
    log.outputs = options.outputs;
    TRY(whole, inline_calls(model, with_loading, log));
    plain = std::move(whole);
  }
  if (is_partial(options)) {
    CHECK_OK(check_variable_globs(plain, options));
    TRY(loadable, keep_loadable(plain, options));
    plain = std::move(loadable.model);
    kept = std::move(loadable.nodes);
    add(with_loading.keep, kept);
  }
  TRY(pruned, prune_to_outputs(plain, with_loading, log));
  plain = std::move(pruned);
  if (inlines) {
    TRY(named, name_by_signatures(plain, options, log));
    TRY(decided, inlined(named, with_loading, log));
    plain = std::move(decided);
  }
  TRY(loaded, keep_loading(plain, roots, options.no_inline, runs_init_op(model), log, loading));
  add(loading.keep, kept);
  return pruned_again(loaded, options, loading.keep, log);
}

Result<Model> freeze_by_node(const Model& model, const PassOptions& options, PassLog& log) {
  Loading loading;
  TRY(renamed, with_renamed_keys(model, options, log));
  std::vector<Diagnostic> unfilled;
  TRY(filled, with_restored_tables(renamed, unfilled));
  // The calls of a SavedModel are inlined below, with the names of its signatures.
  const bool inlines = !options.no_inline && model.kind != Kind::kSavedModel;
  TRY(set, with_set_values(filled, options, inlines, log));
  std::vector<std::string> kept;
  TRY(frozen, prepared(set, options, log, loading, kept));
  unfilled = unfilled_tables(unfilled, frozen.graph);
  if (!unfilled.empty()) return unfilled.front();
  add(kept, loading.init);
  find_always_assigned(frozen, options, log, loading);
  if (const auto still = without_unseen_updates(frozen, options, loading, log)) {
    TRY(pruned, pruned_again(*still, options, kept, log));
    frozen = std::move(pruned);
  }
  TRY(values, values_of(frozen, options, loading, log.diagnostics));
  if (values.empty()) {
    log.diagnostics.note("no-variables", is_partial(options)
                                             ? "the outputs need no variables that are to be frozen"
                                             : "the outputs need no variables: there is nothing to "
                                               "freeze");
  } else {
    const Records records = options.no_record ? Records() : records_of(model);
    TRY(made, Freezer(frozen, values, options.no_record ? nullptr : &records, loading, log).run());
    TRY(sunk, sink_weights(made));
    const bool inlined =
        model.kind == Kind::kSavedModel && (has_calls(set.graph) || !loading.assigns.empty());
    TRY(pruned, pruned_again(inlined ? without_idle_controls(sunk) : sunk, options, kept, log));
    frozen = std::move(pruned);
  }
  if (options.fold_assets) {
    TRY(folded, fold_assets(frozen, log));
    TRY(pruned, pruned_again(folded, options, kept, log));
    frozen = std::move(pruned);
  }
  if (options.lower_control_flow) {
    TRY(plain, lower_control_flow(frozen, options, log));
    TRY(pruned, pruned_again(without_idle_controls(plain), options, kept, log));
    frozen = std::move(pruned);
  }
  TRY(listed, with_listed_variables(frozen, model));
  drop_object_graph(listed);
  tell_assets(listed, log);
  return listed;
}

}  // namespace

Result<Model> freeze(const Model& model, const PassOptions& options, PassLog& log) {
  if (options.like_tensorflow) return freeze_like_tensorflow(model, options, log);
  TRY(by_node, with_variables_by_node(model, options));
  return freeze_by_node(model, by_node, log);
}

}  // namespace cryo
