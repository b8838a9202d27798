#include "passes/freeze/replaced_variables.h"

#include <unordered_set>

#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "passes/common/joined_failure.h"
#include "passes/freeze/frozen_functions.h"
#include "passes/freeze/frozen_nodes.h"
#include "passes/freeze/frozen_uses.h"
#include "passes/prune/kept_variables.h"
#include "passes/variables/variable_nodes.h"

namespace cryo {
namespace {

class VariableReplacer {
 public:
  VariableReplacer(const Model& pruned, const std::vector<std::string>& outputs,
                   const FrozenValues& values, const FreezeRecords* records,
                   const Initializers& initializers, Conversions& converted)
      : model_(pruned),
        outputs_(outputs),
        values_(values),
        records_(records),
        initializers_(initializers),
        converted_(converted),
        nodes_(pruned.graph.nodes()),
        names_(pruned.graph.index().names()),
        edges_(pruned.graph.index().edges()),
        functions_(pruned.graph, *pruned.payloads),
        uses_(nodes_, names_, edges_, functions_),
        frozen_(nodes_, uses_, names_, *pruned.payloads, false) {}

  Result<Model> run();

 private:
  Status add(GraphBuilder& builder, uint32_t index);
  Result<std::string> constant(const Node& node, const FrozenValue& value);
  std::string first_value(const Node& node, const FrozenValue& value);
  void leave_record(const Node& node, NodeEditor& editor) const;

  std::unordered_set<std::string> staying() const;

  const Model& model_;
  const std::vector<std::string>& outputs_;
  const FrozenValues& values_;
  const FreezeRecords* records_;  // null: none are left
  const Initializers& initializers_;
  Conversions& converted_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  FrozenFunctions functions_;
  FrozenUses uses_;
  FrozenNodes frozen_;
};

// A variable that only loading gives a value, as an Identity of that.
std::string VariableReplacer::first_value(const Node& node, const FrozenValue& value) {
  const Variable& variable = value.variable;
  converted_.push_back(
      {variable.name, std::string(node.op), "Identity", variable.dtype, variable.shape, 0});
  NodeEditor editor(node.name, "Identity");
  editor.add_input(value.first).set_device(device_of(node));
  return editor.set_attr("T", type_value(variable.dtype)).finish();
}

// Writes the record of a variable, or none if un-freezing made the variable from a constant without
// one. A function's body may have brought a variable that the model's records do not have.
void VariableReplacer::leave_record(const Node& node, NodeEditor& editor) const {
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
Result<std::string> VariableReplacer::constant(const Node& node, const FrozenValue& value) {
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
  converted_.push_back({value.variable.name, std::string(node.op), "Const", tensor.dtype,
                        tensor.shape, tensor.content.size()});
  leave_record(node, editor);
  editor.set_op("Const").set_attr("dtype", type_value(tensor.dtype));
  return editor.set_attr("value", tensor_value(proto)).finish();
}

Status VariableReplacer::add(GraphBuilder& builder, uint32_t index) {
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

std::unordered_set<std::string> VariableReplacer::staying() const {
  std::unordered_set<std::string> names;
  for (const Node& node : nodes_) {
    const std::string name(node.name);
    if (is_variable(node.op) && values_.count(name) == 0) names.insert(name);
  }
  return names;
}

Result<Model> VariableReplacer::run() {
  const auto stay = staying();
  CHECK_OK(uses_.find(outputs_, initializers_.assigns, stay));
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

}  // namespace

Result<FrozenValues> frozen_values(const Model& model, const VariableSelection& selection,
                                   const Initializers& initializers, Diagnostics& diagnostics) {
  FrozenValues values;
  std::vector<Diagnostic> failures;
  for (Variable& variable : variables_of(model)) {
    const bool stays = selection.keeps(variable.name);
    report_init_op(variable, stays, initializers, diagnostics);
    if (const auto first = initializers.first.find(variable.name);
        first != initializers.first.end()) {
      values.emplace(first->first, FrozenValue{std::move(variable), {}, first->second});
      continue;
    }
    if (stays) continue;
    Result<Tensor> tensor = value_of(model, variable);
    if (!tensor) {
      failures.push_back(tensor.error());
      continue;
    }
    const std::string name = variable.name;
    values.emplace(name, FrozenValue{std::move(variable), std::move(*tensor)});
  }
  if (failures.empty()) return values;
  return joint_failure(failures);
}

Result<Model> replace_variables(const Model& pruned, const std::vector<std::string>& outputs,
                                const FrozenValues& values, const FreezeRecords* records,
                                const Initializers& initializers, Conversions& converted) {
  return VariableReplacer(pruned, outputs, values, records, initializers, converted).run();
}

}  // namespace cryo
