#include "passes/freeze/replaced_variables.h"

#include <unordered_set>

#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "passes/common/merge_failures.h"
#include "passes/freeze/frozen_functions.h"
#include "passes/freeze/frozen_nodes.h"
#include "passes/freeze/frozen_uses.h"
#include "passes/prune/kept_variables.h"
#include "passes/variables/variable_nodes.h"

namespace cryo {
namespace {

// A variable that only loading gives a value, as an Identity of that.
std::string identity_of_first_value(const Node& node, const FrozenValue& value,
                                    Conversions& converted) {
  const Variable& variable = value.variable;
  converted.push_back(
      {variable.name, std::string(node.op), "Identity", variable.dtype, variable.shape, 0});
  NodeEditor editor(node.name, "Identity");
  editor.add_input(value.first).set_device(device_of(node));
  return editor.set_attr("T", type_value(variable.dtype)).finish();
}

// Writes the record of a variable, or none if un-freezing made the variable from a constant without
// one. A function's body may have brought a variable that the model's records do not have. Without
// `records` none are written.
void leave_record(const Node& node, const FreezeRecords* records, NodeEditor& editor) {
  const auto found = find_attr(node, kRecordAttr);
  if (records == nullptr || (found && !record_of(node))) {
    editor.erase_attr(kRecordAttr);
  } else if (!found) {
    const auto record = records->find(std::string(node.name));
    const bool known = record != records->end();
    editor.set_attr(kRecordAttr,
                    record_value(known ? record->second : FreezeRecord{std::string(node.op)}));
  }
}

// Returns a variable's node as a Const. Attributes for the variable's place are removed; control
// inputs and the device are kept.
Result<std::string> frozen_constant(const Node& node, const FrozenValue& value,
                                    const FreezeRecords* records, Payloads& payloads,
                                    Conversions& converted) {
  if (!value.first.empty()) return identity_of_first_value(node, value, converted);
  const Tensor& tensor = value.tensor;
  TRY(proto, const_tensor(tensor.dtype, tensor.shape, tensor.content, payloads));
  NodeEditor editor(node);
  for (const std::string_view attr :
       {"container", "shared_name", "shape", "allowed_devices", "debug_name"}) {
    editor.erase_attr(attr);
  }
  // On a handle they describe the handle, not the value.
  if (value.variable.resource) {
    editor.erase_attr("_output_shapes").rename_attr(kValueShapesAttr, "_output_shapes");
  }
  converted.push_back({value.variable.name, std::string(node.op), "Const", tensor.dtype,
                       tensor.shape, tensor.content.size()});
  leave_record(node, records, editor);
  editor.set_op("Const").set_attr("dtype", type_value(tensor.dtype));
  return editor.set_attr("value", tensor_value(proto)).finish();
}

std::unordered_set<std::string> variables_without_value(const std::vector<Node>& nodes,
                                                        const FrozenValues& values) {
  std::unordered_set<std::string> names;
  for (const Node& node : nodes) {
    const std::string name(node.name);
    if (is_variable(node.op) && values.count(name) == 0) names.insert(name);
  }
  return names;
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
  return merge_failures(failures);
}

Result<Model> replace_variables(const Model& pruned, const std::vector<std::string>& outputs,
                                const FrozenValues& values, const FreezeRecords* records,
                                const Initializers& initializers, Conversions& converted) {
  const std::vector<Node>& nodes = pruned.graph.nodes();
  const auto stay = variables_without_value(nodes, values);
  FrozenFunctions functions(pruned.graph, *pruned.payloads);
  TRY(uses,
      uses_of_variables(pruned.graph.index(), outputs, initializers.assigns, stay, functions));
  FrozenNodes frozen_nodes(nodes, uses, pruned.graph.index().names(), *pruned.payloads, false);
  GraphBuilder builder(pruned.graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (uses.nodes[i].kind == FrozenUse::kVariable) {
      TRY(made, frozen_constant(nodes[i], values.at(std::string(nodes[i].name)), records,
                                *pruned.payloads, converted));
      builder.add(std::move(made));
    } else if (frozen_nodes.stays(i)) {
      builder.add(nodes[i]);
    } else {
      TRY(made, frozen_nodes.made_of(i));
      for (std::string& each : made) builder.add(std::move(each));
    }
  }
  builder.add_functions_of(pruned.graph);
  functions.add_to(builder);
  Model frozen = pruned;
  frozen.graph = builder.finish();
  if (stay.empty()) frozen.checkpoint = nullptr;
  drop_frozen_variables(frozen);
  return frozen;
}

}  // namespace cryo
