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

class UnfreezePlanner {
 public:
  UnfreezePlanner(const Model& model, const NodeNames& names, const UnfreezeOptions& options,
                  FreshNames& fresh_names, Conversions& converted)
      : model_(model),
        nodes_(model.graph.nodes()),
        names_(names),
        options_(options),
        fresh_names_(fresh_names),
        converted_(converted) {}

  Result<std::vector<PlannedVariable>> run(const std::vector<Weight>& weights);

 private:
  Failure nothing_to_unfreeze() const;
  std::string usual_op(const std::vector<Weight>& weights) const;
  std::string op_of(const Weight& weight, DType dtype) const;
  std::string record_for(const Weight& weight, const Renamed& to) const;
  Result<Renamed> name_of(const Node& constant);
  Result<Tensor> value_of(const Node& constant);
  NewVariable variable_of(const Weight& weight, const Renamed& to, const Tensor& tensor) const;
  Result<PlannedVariable> one(const Weight& weight);

  const Model& model_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const UnfreezeOptions& options_;
  FreshNames& fresh_names_;
  Conversions& converted_;
  std::vector<RenameRule> rules_;
  std::set<const RenameRule*> used_;
  std::string usual_op_;  // of what has no record
  uint64_t announced_ = 0;
};

std::string UnfreezePlanner::usual_op(const std::vector<Weight>& weights) const {
  const bool was_reference = std::any_of(weights.begin(), weights.end(), [&](const Weight& each) {
    return names_.find(cat(nodes_[each.node].name, "/read")) != kNoNode;
  });
  const bool reference = options_.style.empty() ? was_reference : options_.style == "ref";
  return reference ? "VariableV2" : "VarHandleOp";
}

// Reference variables of these types have no kernel that assigns them.
bool only_handles_hold(DType dtype) {
  return dtype >= DType::kFloat8E5m2 && dtype <= DType::kUint2;
}

std::string UnfreezePlanner::op_of(const Weight& weight, DType dtype) const {
  if (only_handles_hold(dtype)) return "VarHandleOp";
  if (!weight.record) return usual_op_;
  const bool as_asked = options_.style.empty() ||
                        is_resource_variable(weight.record->op) == (options_.style == "resource");
  return as_asked ? weight.record->op : usual_op_;
}

// Returns the record that freezing is to write again. Under another name it describes another
// variable.
std::string UnfreezePlanner::record_for(const Weight& weight, const Renamed& to) const {
  if (!weight.record) return empty_record_value();
  if (to.rule == nullptr) return std::string(*find_attr(nodes_[weight.node], kRecordAttr));
  FreezeRecord record = *weight.record;
  const Renamed key = renamed_weight(rules_, record.key);
  record.key = key.rule == nullptr ? std::string() : key.name;
  if (record.key.empty()) record.slice.clear();
  return record_value(record);
}

Result<Renamed> UnfreezePlanner::name_of(const Node& constant) {
  Renamed to = renamed_weight(rules_, constant.name);
  if (to.rule == nullptr) return to;
  used_.insert(to.rule);
  const LocationRef where{.node = constant.name};
  const std::string rule = cat(OPTION("--rename", "") " ", to.rule->text);
  if (!is_node_name(to.name, false)) {
    return failure("bad-option",
                   cat(rule, " makes ", quoted(to.name), ", which is not a node's name"), where,
                   "names have letters, digits, '.', '_', '-' and '/'");
  }
  if (fresh_names_.take(to.name) == to.name) return to;
  return failure("duplicate-name", cat(rule, " gives two nodes the name ", quoted(to.name)), where,
                 "give each a name of its own: " OPTION("--rename", "FROM=TO"));
}

Result<Tensor> UnfreezePlanner::value_of(const Node& constant) {
  Result<Tensor> tensor =
      read_tensor(tensor_attr(constant, "value").value_or(""), *model_.payloads);
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
    CHECK_OK(announce_weight(constant, tensor->content.size(), announced_));
    return tensor;
  }
  Diagnostic error = tensor.error();
  error.where.node = constant.name;
  return error;
}

NewVariable UnfreezePlanner::variable_of(const Weight& weight, const Renamed& to,
                                         const Tensor& tensor) const {
  NewVariable variable{to.name, op_of(weight, tensor.dtype), tensor.dtype, tensor.shape,
                       weight.trainable};
  variable.record = record_for(weight, to);
  const FreezeRecord record = read_record(variable.record).value_or(FreezeRecord());
  variable.key = record.key.empty() ? to.name : record.key;
  variable.slice = record.slice;
  variable.shared = record.shared;
  return variable;
}

Result<PlannedVariable> UnfreezePlanner::one(const Weight& weight) {
  const Node& node = nodes_[weight.node];
  TRY(tensor, value_of(node));
  TRY(to, name_of(node));
  PlannedVariable planned{weight.node, variable_of(weight, to, tensor)};
  const bool recorded = weight.record && !weight.record->collections.empty();
  planned.collections = recorded ? weight.record->collections : usual_collections(weight.trainable);
  converted_.push_back({to.name, "Const", planned.variable.op, tensor.dtype, tensor.shape,
                        tensor.content.size(), weight.why, weight.confidence});
  if (to.rule != nullptr) converted_.back().why += cat("; it was called ", node.name);
  planned.tensor = std::move(tensor);
  return planned;
}

Failure UnfreezePlanner::nothing_to_unfreeze() const {
  const size_t variables = variables_of(model_).size();
  if (variables > 0) {
    return failure("no-weights",
                   cat("nothing to un-freeze: the graph's weights are variables (", variables, ")"),
                   {}, "other constants can be chosen with " OPTION("--constants", "GLOB"));
  }
  return failure("no-weights", "no constant of the graph looks like a weight", {},
                 "choose constants with " OPTION("--constants", "GLOB"));
}

Result<std::vector<PlannedVariable>> UnfreezePlanner::run(const std::vector<Weight>& weights) {
  if (weights.empty()) return nothing_to_unfreeze();
  if (!options_.style.empty() && options_.style != "ref" && options_.style != "resource") {
    return failure("bad-option", cat(OPTION("--style", "") " is 'ref' or 'resource', not '",
                                     options_.style, "'"));
  }
  TRY(rules, parse_rename_rules(options_.rename));
  rules_ = std::move(rules);
  usual_op_ = usual_op(weights);
  std::vector<PlannedVariable> all;
  for (const Weight& weight : weights) {
    TRY(planned, one(weight));
    all.push_back(std::move(planned));
  }
  std::vector<std::string> names;
  for (const Weight& weight : weights) names.emplace_back(nodes_[weight.node].name);
  CHECK_OK(check_rules(rules_, used_, names));
  return all;
}

}  // namespace

Result<std::vector<PlannedVariable>> plan_variables(const Model& model, const NodeNames& names,
                                                    const std::vector<Weight>& weights,
                                                    const UnfreezeOptions& options,
                                                    FreshNames& fresh_names,
                                                    Conversions& converted) {
  return UnfreezePlanner(model, names, options, fresh_names, converted).run(weights);
}

}  // namespace cryo
