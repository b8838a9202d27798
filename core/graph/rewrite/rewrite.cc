#include "graph/rewrite/rewrite.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace cryo {
namespace {

using Values = std::vector<std::pair<std::string_view, RewriteValue>>;

// A tensor in a rule: an input of the rewritten op, or an output of a step.
struct TensorRef {
  bool is_input = false;
  size_t at = 0;
  size_t port = 0;
};

// The names in the lines of a rule, or of a part of it.
struct RuleScope {
  const RewriteSource& source;
  Values values = {};  // of the call of a part; before those of the source
  const RuleScope* caller = nullptr;
  std::map<std::string_view, std::vector<TensorRef>> tensors = {};

  std::optional<RewriteValue> value(std::string_view name) const {
    for (const auto& [key, value] : values) {
      if (key == name) return value;
    }
    return caller != nullptr ? caller->value(name) : source.value(name);
  }
  bool has(std::string_view name) const {
    const auto found = tensors.find(name);
    return found != tensors.end() && !found->second.empty();
  }
  std::optional<RewriteValue> of(const RuleTerm& term) const;
  bool holds(const RuleCondition& condition) const;
  bool holds(const std::vector<RuleCondition>& conditions) const {
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const RuleCondition& each) { return holds(each); });
  }
};

void append(RewriteValue& list, const RewriteValue& element) {
  list.kind = list.kind == AttrKind::kNone ? element.kind : list.kind;
  list.numbers.insert(list.numbers.end(), element.numbers.begin(), element.numbers.end());
  list.reals.insert(list.reals.end(), element.reals.begin(), element.reals.end());
  list.texts.insert(list.texts.end(), element.texts.begin(), element.texts.end());
}

// nullopt for a value that the source does not have.
std::optional<RewriteValue> RuleScope::of(const RuleTerm& term) const {
  if (!term.name.empty()) return value(term.name);
  if (!term.counted.empty()) {
    const auto counted = static_cast<int64_t>(tensors.at(term.counted).size());
    return RewriteValue{.kind = AttrKind::kInt, .numbers = {counted}};
  }
  RewriteValue made = term.literal;
  for (const RuleTerm& element : term.elements) {
    const auto each = of(element);
    if (!each) return std::nullopt;
    append(made, *each);
  }
  return made;
}

bool are_equal(const RewriteValue& a, const RewriteValue& b) {
  return a.kind == b.kind && a.list == b.list && a.numbers == b.numbers && a.reals == b.reals &&
         a.texts == b.texts;
}

bool RuleScope::holds(const RuleCondition& condition) const {
  using Kind = RuleCondition::Kind;
  if (condition.kind == Kind::kTrue || condition.kind == Kind::kFalse) {
    bool is_true = has(condition.left.name);
    if (!is_true) {
      const auto value = of(condition.left);
      is_true = value && !value->numbers.empty() && value->numbers[0] != 0;
    }
    return is_true == (condition.kind == Kind::kTrue);
  }
  const auto left = of(condition.left);
  const bool found =
      std::any_of(condition.right.begin(), condition.right.end(), [&](const RuleTerm& each) {
        const auto right = of(each);
        return left && right && are_equal(*left, *right);
      });
  return found == (condition.kind != Kind::kDifferent);
}

// A node before it is known which outputs it gives, and whether one needs it.
struct RuleStep {
  RewriteNode node = {};
  std::vector<TensorRef> inputs = {};
  bool is_needed = false;
  bool is_unknown = false;  // a constant whose value the source does not have
};

class Expansion {
 public:
  Expansion(const RewriteRules& rules, RewriteTarget& target) : rules_(rules), target_(target) {}

  std::vector<std::string> run(const RewriteRule& rule, const RewriteSource& source);

 private:
  std::vector<TensorRef> read(const RewriteRule& rule, RuleScope& scope);
  void read_line(const RuleLine& line, RuleScope& scope);
  std::vector<TensorRef> read_part(const RuleLine& line, const RuleScope& scope);
  RuleStep step_of(const RuleLine& line, const RuleScope& scope);
  TensorRef constant_of(const RuleArg& arg, const RuleScope& scope, std::string_view suffix);
  std::vector<TensorRef> tensors_of(const RuleArg& arg, const RuleScope& scope);
  void mark_needed();
  void emit(const RewriteSource& source);

  const RewriteRules& rules_;
  RewriteTarget& target_;
  std::vector<RuleStep> steps_;
  std::vector<std::vector<std::string>> made_;  // the outputs of each step
};

RuleScope scope_of(const RewriteRule& rule, const RewriteSource& source) {
  RuleScope scope{source};
  const std::vector<std::string>& given = source.inputs();
  for (size_t i = 0; i < rule.inputs.size(); ++i) {
    std::vector<TensorRef>& refs = scope.tensors[rule.inputs[i].name];
    const size_t end = rule.inputs[i].all ? given.size() : std::min(i + 1, given.size());
    for (size_t at = i; at < end; ++at) {
      if (!given[at].empty()) refs.push_back({true, at, 0});
    }
  }
  return scope;
}

bool has_name(const RewriteRule& rule, std::string_view op) {
  if (!rule.op.ends_with('*')) return rule.op == op;
  return op.starts_with(rule.op.substr(0, rule.op.size() - 1));
}

bool fits(const RewriteRule& rule, const RewriteSource& source) {
  if (rule.is_part() || !has_name(rule, source.op())) return false;
  const RuleScope scope = scope_of(rule, source);
  const bool takes_all = !rule.inputs.empty() && rule.inputs.back().all;
  if (source.inputs().size() > rule.inputs.size() && !takes_all) return false;
  for (const RuleInput& input : rule.inputs) {
    if (!input.optional && !input.all && !scope.has(input.name)) return false;
  }
  return scope.holds(rule.conditions);
}

TensorRef Expansion::constant_of(const RuleArg& arg, const RuleScope& scope,
                                 std::string_view suffix) {
  RuleStep step;
  step.node.suffix = suffix;
  auto value = scope.of(arg.constant);
  step.is_unknown = !value;
  if (value) step.node.constant = std::move(*value);
  const auto type = scope.of(arg.type);
  const AttrKind kind = step.node.constant.kind;
  step.node.dtype = type && type->kind == AttrKind::kType ? static_cast<DType>(type->numbers[0])
                    : kind == AttrKind::kFloat            ? DType::kFloat
                    : kind == AttrKind::kBool             ? DType::kBool
                    : kind == AttrKind::kString           ? DType::kString
                                                          : DType::kInt32;
  steps_.push_back(std::move(step));
  return {false, steps_.size() - 1, 0};
}

std::vector<TensorRef> Expansion::tensors_of(const RuleArg& arg, const RuleScope& scope) {
  if (arg.kind == RuleArg::Kind::kControls) return {};
  if (arg.kind == RuleArg::Kind::kConstant) return {constant_of(arg, scope, "")};
  return scope.tensors.at(arg.tensor);
}

RuleStep Expansion::step_of(const RuleLine& line, const RuleScope& scope) {
  RuleStep step;
  step.node = {.op = line.op == "*" ? scope.source.op() : line.op,
               .suffix = line.suffix,
               .outputs = line.names.size(),
               .keeps_attrs = line.keeps_attrs,
               .dropped = line.dropped};
  for (const RuleArg& arg : line.args) {
    step.node.takes_controls |= arg.kind == RuleArg::Kind::kControls;
    for (const TensorRef& ref : tensors_of(arg, scope)) step.inputs.push_back(ref);
  }
  for (const auto& [key, term] : line.attrs) {
    if (auto value = scope.of(term)) step.node.attrs.emplace_back(key, std::move(*value));
  }
  return step;
}

std::vector<TensorRef> Expansion::read_part(const RuleLine& line, const RuleScope& scope) {
  const RewriteRule* part = rules_.part(line.op);
  assert(part != nullptr && part->inputs.size() == line.args.size());
  RuleScope inner{scope.source, {}, &scope};
  for (size_t i = 0; i < line.args.size(); ++i) {
    inner.tensors[part->inputs[i].name] = tensors_of(line.args[i], scope);
  }
  for (const auto& [key, term] : line.attrs) {
    if (auto value = scope.of(term)) inner.values.emplace_back(key, std::move(*value));
  }
  return read(*part, inner);
}

void Expansion::read_line(const RuleLine& line, RuleScope& scope) {
  std::vector<TensorRef> refs;
  if (line.op.empty()) {
    const RuleArg& arg = line.args[0];
    refs = {arg.kind == RuleArg::Kind::kTensor ? scope.tensors.at(arg.tensor).at(0)
                                               : constant_of(arg, scope, line.suffix)};
  } else if (line.op[0] >= 'a' && line.op[0] <= 'z') {
    refs = read_part(line, scope);
  } else {
    RuleStep step = step_of(line, scope);
    steps_.push_back(std::move(step));
    for (size_t i = 0; i < line.names.size(); ++i) refs.push_back({false, steps_.size() - 1, i});
  }
  for (size_t i = 0; i < line.names.size(); ++i) scope.tensors[line.names[i]] = {refs.at(i)};
}

std::vector<TensorRef> Expansion::read(const RewriteRule& rule, RuleScope& scope) {
  for (const RuleLine& line : rule.lines) {
    if (scope.holds(line.conditions)) read_line(line, scope);
  }
  std::vector<TensorRef> outputs;
  for (const std::string_view name : rule.outputs) {
    for (const TensorRef& ref : scope.tensors.at(name)) outputs.push_back(ref);
  }
  return outputs;
}

void Expansion::mark_needed() {
  for (size_t i = steps_.size(); i-- > 0;) {
    if (!steps_[i].is_needed) continue;
    for (const TensorRef& input : steps_[i].inputs) {
      if (!input.is_input) steps_[input.at].is_needed = true;
    }
  }
}

void Expansion::emit(const RewriteSource& source) {
  std::vector<size_t> first;  // the steps that were emitted
  made_.resize(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    RuleStep& step = steps_[i];
    if (!step.is_needed) continue;
    for (const TensorRef& input : step.inputs) {
      step.node.inputs.push_back(input.is_input ? source.inputs()[input.at]
                                                : made_[input.at][input.port]);
    }
    const auto same = std::find_if(first.begin(), first.end(), [&](size_t other) {
      RewriteNode alike = steps_[other].node;
      alike.suffix = step.node.suffix;
      return alike == step.node && !step.node.output;
    });
    made_[i] = same == first.end() ? target_.add(step.node) : made_[*same];
    if (same == first.end()) first.push_back(i);
  }
}

std::vector<std::string> Expansion::run(const RewriteRule& rule, const RewriteSource& source) {
  RuleScope scope = scope_of(rule, source);
  const std::vector<TensorRef> outputs = read(rule, scope);
  const bool has_controls = std::any_of(
      steps_.begin(), steps_.end(), [](const RuleStep& step) { return step.node.takes_controls; });
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].is_input) continue;
    RuleStep& step = steps_[outputs[i].at];
    step.is_needed = true;
    if (outputs[i].port == 0 && !step.node.output) step.node.output = i;
    step.node.takes_controls |= !has_controls;
  }
  mark_needed();
  const bool is_known = std::none_of(steps_.begin(), steps_.end(), [](const RuleStep& step) {
    return step.is_needed && step.is_unknown;
  });
  if (!is_known) return {};
  emit(source);
  std::vector<std::string> names;
  for (const TensorRef& ref : outputs) {
    names.push_back(ref.is_input ? source.inputs()[ref.at] : made_[ref.at][ref.port]);
  }
  return names;
}

}  // namespace

const RewriteRule* rule_for(const RewriteRules& rules, const RewriteSource& source) {
  for (const RewriteRule& rule : rules.all()) {
    if (fits(rule, source)) return &rule;
  }
  return nullptr;
}

std::vector<std::string> rewrite(const RewriteRules& rules, const RewriteRule& rule,
                                 const RewriteSource& source, RewriteTarget& target) {
  Expansion expansion(rules, target);
  return expansion.run(rule, source);
}

}  // namespace cryo
