#include "passes/unfreeze/unfreeze_plan.h"

#include <algorithm>
#include <set>

#include "base/pattern/weight_name.h"
#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/variables.h"
#include "passes/common/unmatched.h"
#include "validate/graph/names.h"

namespace cryo {
namespace {

// How all weights become variables.
struct UnfreezeRules {
  std::vector<RenameRule> rename = {};
  std::string style = {};     // "ref", "resource", or empty: as the record says
  std::string usual_op = {};  // of what has no record
};

std::string usual_op(const Graph& graph, const std::vector<Weight>& weights,
                     std::string_view style) {
  const bool was_reference = std::any_of(weights.begin(), weights.end(), [&](const Weight& each) {
    return graph.index().names().find(cat(graph.nodes()[each.node].name, "/read")) != kNoNode;
  });
  const bool reference = style.empty() ? was_reference : style == "ref";
  return reference ? "VariableV2" : "VarHandleOp";
}

// Reference variables of these types have no kernel that assigns them.
bool only_handles_hold(DType dtype) {
  return dtype >= DType::kFloat8E5m2 && dtype <= DType::kUint2;
}

std::string op_for(const Weight& weight, DType dtype, const UnfreezeRules& rules) {
  if (only_handles_hold(dtype)) return "VarHandleOp";
  if (!weight.record) return rules.usual_op;
  const bool as_asked =
      rules.style.empty() || is_resource_variable(weight.record->op) == (rules.style == "resource");
  return as_asked ? weight.record->op : rules.usual_op;
}

// Returns the record that freezing is to write again. Under another name it describes another
// variable.
std::string record_for(const Node& constant, const Weight& weight, const Renamed& to,
                       const std::vector<RenameRule>& rules) {
  if (!weight.record) return empty_record_value();
  if (to.rule == nullptr) return std::string(*find_attr(constant, kRecordAttr));
  FreezeRecord record = *weight.record;
  const Renamed key = renamed_weight(rules, record.key);
  record.key = key.rule == nullptr ? std::string() : key.name;
  if (record.key.empty()) record.slice.clear();
  return record_value(record);
}

Result<Renamed> name_for(const Node& constant, const std::vector<RenameRule>& rules,
                         FreshNames& fresh) {
  Renamed to = renamed_weight(rules, constant.name);
  if (to.rule == nullptr) return to;
  const LocationRef where{.node = constant.name};
  const std::string rule = cat(OPTION("--rename", "") " ", to.rule->text);
  if (!is_node_name(to.name, false)) {
    return failure("bad-option",
                   cat(rule, " makes ", quoted(to.name), ", which is not a node's name"), where,
                   "names have letters, digits, '.', '_', '-' and '/'");
  }
  if (fresh.take(to.name) == to.name) return to;
  return failure("duplicate-name", cat(rule, " gives two nodes the name ", quoted(to.name)), where,
                 "give each a name of its own: " OPTION("--rename", "FROM=TO"));
}

Result<Tensor> value_of_constant(const Node& constant, const Payloads& payloads,
                                 uint64_t& announced) {
  Result<Tensor> tensor = read_tensor(tensor_attr(constant, "value").value_or(""), payloads);
  const int said = type_attr(constant, "dtype").value_or(0);
  if (tensor && said != static_cast<int>(tensor->dtype)) {
    return failure("const-type",
                   cat("Type mismatch between value (", dtype_name(tensor->dtype), ") and dtype (",
                       dtype_name(static_cast<DType>(said)), ") of the constant '", constant.name,
                       "': no variable can hold it"),
                   {.node = constant.name, .attr = "value"},
                   "exclude it with " OPTION("--exclude", "") ", or correct the constant");
  }
  if (tensor) {
    CHECK_OK(announce_weight(constant, tensor->content.size(), announced));
    return tensor;
  }
  Diagnostic error = tensor.error();
  error.where.node = constant.name;
  return error;
}

NewVariable variable_for(const Node& constant, const Weight& weight, const Renamed& to,
                         const Tensor& tensor, const UnfreezeRules& rules) {
  NewVariable variable{to.name, op_for(weight, tensor.dtype, rules), tensor.dtype, tensor.shape,
                       weight.trainable};
  variable.record = record_for(constant, weight, to, rules.rename);
  const FreezeRecord record = read_record(variable.record).value_or(FreezeRecord());
  variable.key = record.key.empty() ? to.name : record.key;
  variable.slice = record.slice;
  variable.shared = record.shared;
  return variable;
}

Failure nothing_to_unfreeze(const Model& model) {
  const size_t variables = variables_of(model).size();
  if (variables > 0) {
    return failure("no-weights",
                   cat("nothing to un-freeze: the graph's weights are variables (", variables, ")"),
                   {}, "other constants can be chosen with " OPTION("--constants", "GLOB"));
  }
  return failure("no-weights", "no constant of the graph looks like a weight", {},
                 "choose constants with " OPTION("--constants", "GLOB"));
}

}  // namespace

Result<std::vector<PlannedVariable>> plan_variables(const Model& model,
                                                    const std::vector<Weight>& weights,
                                                    const UnfreezeOptions& options,
                                                    FreshNames& fresh_names,
                                                    Conversions& converted) {
  if (weights.empty()) return nothing_to_unfreeze(model);
  if (!options.style.empty() && options.style != "ref" && options.style != "resource") {
    return failure("bad-option",
                   cat(OPTION("--style", "") " is 'ref' or 'resource', not '", options.style, "'"));
  }
  TRY(rename, parse_rename_rules(options.rename));
  const UnfreezeRules rules{std::move(rename), options.style,
                            usual_op(model.graph, weights, options.style)};
  std::vector<PlannedVariable> all;
  std::vector<std::string> names;
  std::set<const RenameRule*> used;
  uint64_t announced = 0;
  for (const Weight& weight : weights) {
    const Node& node = model.graph.nodes()[weight.node];
    names.emplace_back(node.name);
    TRY(tensor, value_of_constant(node, *model.payloads, announced));
    TRY(to, name_for(node, rules.rename, fresh_names));
    if (to.rule != nullptr) used.insert(to.rule);
    PlannedVariable planned{weight.node, variable_for(node, weight, to, tensor, rules)};
    const bool recorded = weight.record && !weight.record->collections.empty();
    planned.collections =
        recorded ? weight.record->collections : usual_collections(weight.trainable);
    converted.push_back({to.name, "Const", planned.variable.op, tensor.dtype, tensor.shape,
                         tensor.content.size(), weight.why, weight.confidence});
    if (to.rule != nullptr) converted.back().why += cat("; it was called ", node.name);
    planned.tensor = std::move(tensor);
    all.push_back(std::move(planned));
  }
  CHECK_OK(check_rules(rules.rename, used, names));
  return all;
}

}  // namespace cryo
