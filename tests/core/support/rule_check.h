#pragma once

#include <algorithm>

#include "checked.h"
#include "graph/rewrite/rule.h"

namespace cryo {

// Faults of rules whose nodes are TensorFlow's, by the definitions of ops: unknown ops and
// attributes, attributes of another type, missing ones, another number of inputs.

inline std::vector<std::string> attr_faults(const RuleLine& line, const OpDef& op) {
  std::vector<std::string> faults;
  std::set<std::string_view> given;
  for (const auto& [key, term] : line.attrs) {
    given.insert(key);
    const int place = op.attr_index(key);
    if (place == kNoAttr) {
      faults.push_back(cat(line.op, " has no ", key));
      continue;
    }
    const AttrType type = op.attrs[static_cast<size_t>(place)].type;
    const RewriteValue& literal = term.literal;
    const bool is_named = !term.name.empty() || !term.counted.empty();
    const bool other_kind = literal.kind != AttrKind::kNone && literal.kind != type.kind;
    if (!is_named && (other_kind || literal.list != type.list)) {
      faults.push_back(cat(line.op, ".", key, " is a ", to_text(type)));
    }
  }
  for (const AttrDef& attr : op.attrs) {
    if (!line.keeps_attrs && !attr.default_value && !given.contains(attr.name)) {
      faults.push_back(cat(line.op, " needs ", attr.name));
    }
  }
  return faults;
}

inline bool takes_inputs(const RuleLine& line, const OpDef& op) {
  size_t given = 0;
  bool is_list = false;
  for (const RuleArg& arg : line.args) {
    given += arg.kind == RuleArg::Kind::kControls ? 0 : 1;
    is_list = is_list || arg.kind == RuleArg::Kind::kAll;
  }
  size_t least = 0;
  for (const ArgDef& arg : op.inputs) {
    const bool many = arg.number_attr != kNoAttr || arg.type_list_attr != kNoAttr;
    is_list = is_list || many;
    least += many ? 0 : 1;
  }
  return is_list ? given >= least : given == least;
}

inline std::vector<std::string> rule_faults(std::string_view text) {
  const Result<RewriteRules> rules = RewriteRules::parse(text);
  if (!rules) return {rules.error().message};
  std::vector<std::string> faults;
  for (const RewriteRule& rule : rules->all()) {
    for (const RuleLine& line : rule.lines) {
      const bool is_op = !line.op.empty() && line.op[0] >= 'A' && line.op[0] <= 'Z';
      if (!is_op) continue;
      const OpDef* op = ops().find(line.op);
      if (op == nullptr) {
        faults.push_back(cat(rule.op, ": no op ", line.op));
        continue;
      }
      for (const std::string& each : attr_faults(line, *op)) {
        faults.push_back(cat(rule.op, ": ", each));
      }
      if (!takes_inputs(line, *op)) faults.push_back(cat(rule.op, ": other inputs of ", line.op));
      const bool has_list = !op->outputs.empty() && op->outputs[0].number_attr != kNoAttr;
      // A line without outputs is the result of a rule by itself.
      if (line.names.size() > std::max<size_t>(op->outputs.size(), 1) && !has_list) {
        faults.push_back(cat(rule.op, ": fewer outputs of ", line.op));
      }
    }
  }
  return faults;
}

}  // namespace cryo
