#include "graph/rewrite/rule.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "tensor/dtype.h"

namespace cryo {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads the text of rules from its beginning. The first fault is kept, and ends all reading.
class RuleParser {
 public:
  RuleParser(std::string_view text, std::vector<RewriteRule> before)
      : text_(text), rules_(std::move(before)) {}

  Result<std::vector<RewriteRule>> read();

 private:
  void read_rule();
  void read_inputs();
  void read_line();
  void read_names(RuleLine& line);
  void read_value(RuleLine& line);
  void read_call(RuleLine& line);
  void read_attrs(RuleLine& line);
  RuleArg read_arg();
  RuleArg read_nested(size_t begin);
  RuleTerm read_term();
  RuleTerm read_list();
  RuleTerm read_number();
  std::vector<RuleCondition> read_conditions();
  RuleCondition read_condition();
  void add(RuleLine line);

  // Skip blanks within a line, and comments; all blank lines up to the next one.
  void skip_blanks();
  void skip_lines();
  bool at_end_of_line();
  char next() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\n';
  }
  bool take(std::string_view token);
  void expect(std::string_view token);
  bool take_word(std::string_view word);
  std::string_view read_name();
  std::string_view read_op();
  void fail(std::string_view expected);

  std::string_view text_;
  size_t at_ = 0;
  size_t open_ = 0;  // brackets: a line ends after all of them are closed
  std::string fault_;
  std::vector<RewriteRule> rules_;
  std::set<std::string_view> known_;  // tensors of the rule
};

void RuleParser::fail(std::string_view expected) {
  if (fault_.empty()) {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(at_), '\n');
    fault_ = cat("line ", static_cast<int64_t>(line) + 1, ": expected ", expected);
  }
  at_ = text_.size();
}

void RuleParser::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == ' ' || (c == '\n' && open_ > 0)) {
      ++at_;
    } else {
      return;
    }
  }
}

void RuleParser::skip_lines() {
  for (skip_blanks(); at_ < text_.size() && text_[at_] == '\n'; skip_blanks()) ++at_;
}

bool RuleParser::take(std::string_view token) {
  skip_blanks();
  if (!text_.substr(at_).starts_with(token)) return false;
  at_ += token.size();
  return true;
}

void RuleParser::expect(std::string_view token) {
  if (!take(token)) fail(quoted(token));
}

// Takes a whole word: `in`, not the beginning of `input`.
bool RuleParser::take_word(std::string_view word) {
  const size_t before = at_;
  if (is_letter(next()) && read_name() == word) return true;
  at_ = before;
  return false;
}

std::string_view RuleParser::read_name() {
  if (!is_letter(next())) fail("a name");
  const size_t begin = at_;
  while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
  return text_.substr(begin, at_ - begin);
}

// "Conv2D", "SparseSegment*", "*".
std::string_view RuleParser::read_op() {
  if (take("*")) return "*";
  const std::string_view name = read_name();
  if (at_ == text_.size() || text_[at_] != '*') return name;
  ++at_;
  return {name.data(), name.size() + 1};
}

Result<std::vector<RewriteRule>> RuleParser::read() {
  for (skip_lines(); at_ < text_.size(); skip_lines()) read_rule();
  if (!fault_.empty()) return failure("bad-rule", fault_);
  return std::move(rules_);
}

void RuleParser::read_rule() {
  known_.clear();
  rules_.emplace_back().op = read_op();
  ++open_;
  read_inputs();
  rules_.back().conditions = read_conditions();
  --open_;
  expect(":");
  while (true) {
    skip_lines();
    if (at_ >= text_.size() || text_[at_ - 1] != ' ') break;
    if (!rules_.back().outputs.empty()) fail("the end of the rule after its outputs");
    read_line();
  }
  if (rules_.back().outputs.empty()) fail("the outputs of the rule");
}

void RuleParser::read_inputs() {
  expect("(");
  while (at_ < text_.size() && !take(")")) {
    RuleInput input{read_name()};
    input.optional = take("?");
    input.all = take("...");
    known_.insert(input.name);
    rules_.back().inputs.push_back(input);
    if (next() != ')') expect(",");
  }
}

// A line: names and what they are; or the outputs.
void RuleParser::read_line() {
  const size_t first = rules_.back().lines.size();
  RuleLine line;
  const size_t begin = at_;
  read_op();
  const bool is_call = next() == '(';
  at_ = begin;
  if (is_call) {
    read_call(line);
    const std::string_view output = text_.substr(begin, at_ - begin);
    line.names = {output};
    rules_.back().outputs = {output};
    if (rules_.back().is_part()) line.suffix = rules_.back().op;
  } else {
    read_names(line);
    if (!take("=")) {
      rules_.back().outputs = line.names;
      for (const std::string_view name : line.names) {
        if (!known_.contains(name)) fail(cat("a tensor of the rule, not ", quoted(name)));
      }
      return;
    }
    line.suffix = line.names[0];
    read_value(line);
  }
  const std::vector<RuleCondition> conditions = read_conditions();
  add(std::move(line));
  std::vector<RuleLine>& lines = rules_.back().lines;
  for (size_t i = first; i < lines.size(); ++i) lines[i].conditions = conditions;
  if (next() != '\n') fail("the end of the line");
}

void RuleParser::add(RuleLine line) {
  known_.insert(line.names.begin(), line.names.end());
  rules_.back().lines.push_back(std::move(line));
}

void RuleParser::read_names(RuleLine& line) {
  do line.names.push_back(read_name());
  while (take(","));
}

// After the `=`: a call or a constant.
void RuleParser::read_value(RuleLine& line) {
  const size_t begin = at_;
  if (is_letter(next())) {
    read_name();
    const bool is_call = next() == '(';
    at_ = begin;
    if (is_call) return read_call(line);
  }
  line.args = {read_arg()};
}

void RuleParser::read_call(RuleLine& line) {
  line.op = read_op();
  const bool is_part = line.op[0] >= 'a' && line.op[0] <= 'z';
  const auto is_it = [&](const RewriteRule& rule) { return rule.op == line.op; };
  if (is_part && std::none_of(rules_.begin(), rules_.end() - 1, is_it)) {
    fail(cat("a rule before this one, not ", quoted(line.op)));
  }
  expect("(");
  ++open_;
  while (at_ < text_.size() && !take(")")) {
    line.args.push_back(read_arg());
    if (next() != ')') expect(",");
  }
  --open_;
  read_attrs(line);
}

void RuleParser::read_attrs(RuleLine& line) {
  if (!take("{")) {
    line.attrs = {{"T", RuleTerm{.name = "T"}}};
    return;
  }
  ++open_;
  while (at_ < text_.size() && !take("}")) {
    if (take("*")) {
      line.keeps_attrs = true;
    } else if (take("-")) {
      line.dropped.push_back(read_name());
    } else {
      const std::string_view key = read_name();
      line.attrs.emplace_back(key, take("=") ? read_term() : RuleTerm{.name = key});
    }
    if (next() != '}') expect(",");
  }
  --open_;
}

RuleArg RuleParser::read_arg() {
  RuleArg arg;
  if (take("^*")) return {.kind = RuleArg::Kind::kControls};
  const size_t begin = (skip_blanks(), at_);
  if (is_letter(next())) {
    const std::string_view name = read_name();
    if (next() == '(' && name != "count") return read_nested(begin);
    arg.tensor = name;
    if (take("...")) arg.kind = RuleArg::Kind::kAll;
    if (known_.contains(name)) return arg;
    at_ = begin;
  }
  arg = {.kind = RuleArg::Kind::kConstant, .constant = read_term()};
  if (take_word("as")) arg.type = read_term();
  return arg;
}

// A call within a call is a line of its own, whose name is its text.
RuleArg RuleParser::read_nested(size_t begin) {
  at_ = begin;
  RuleLine line;
  read_call(line);
  line.suffix = line.op;
  line.names = {text_.substr(begin, at_ - begin)};
  const std::string_view name = line.names[0];
  add(std::move(line));
  return {.tensor = name};
}

RuleTerm RuleParser::read_term() {
  if (take("[")) return read_list();
  RuleTerm term;
  if (take("\"")) {
    const size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) fail("a closing quote");
    term.literal.kind = AttrKind::kString;
    term.literal.texts = {std::string(text_.substr(at_, end - at_))};
    at_ = std::min(end + 1, text_.size());
    return term;
  }
  if (!is_letter(next())) return read_number();
  const std::string_view name = read_name();
  if (name == "count" && take("(")) {
    term.counted = read_name();
    expect(")");
  } else if (name == "true" || name == "false") {
    term.literal = {.kind = AttrKind::kBool, .numbers = {name == "true" ? 1 : 0}};
  } else if (const DTypeInfo* type = find_dtype(name)) {
    term.literal = {.kind = AttrKind::kType, .numbers = {static_cast<int64_t>(type->dtype)}};
  } else {
    term.name = name;
  }
  return term;
}

RuleTerm RuleParser::read_list() {
  RuleTerm list;
  ++open_;
  while (at_ < text_.size() && !take("]")) {
    list.elements.push_back(read_term());
    if (next() != ']') expect(",");
  }
  --open_;
  list.literal.list = true;
  return list;
}

RuleTerm RuleParser::read_number() {
  skip_blanks();
  const size_t end = std::min(text_.find_first_not_of("0123456789.e-", at_), text_.size());
  const std::string_view digits = text_.substr(at_, end - at_);
  RuleTerm term;
  const char* last = digits.data() + digits.size();
  if (digits.find_first_of(".e") == std::string_view::npos) {
    term.literal.kind = AttrKind::kInt;
    const auto read = std::from_chars(digits.data(), last, term.literal.numbers.emplace_back());
    if (digits.empty() || read.ptr != last) fail("a value");
  } else {
    term.literal.kind = AttrKind::kFloat;
    term.literal.reals = {std::strtod(std::string(digits).c_str(), nullptr)};
  }
  if (fault_.empty()) at_ = end;
  return term;
}

std::vector<RuleCondition> RuleParser::read_conditions() {
  std::vector<RuleCondition> conditions;
  if (!take_word("if")) return conditions;
  do conditions.push_back(read_condition());
  while (take_word("and"));
  return conditions;
}

RuleCondition RuleParser::read_condition() {
  using Kind = RuleCondition::Kind;
  RuleCondition condition;
  if (take("!")) condition.kind = Kind::kFalse;
  condition.left = read_term();
  if (condition.kind == Kind::kFalse) return condition;
  if (take("==")) {
    condition = {Kind::kEqual, std::move(condition.left), {read_term()}};
  } else if (take("!=")) {
    condition = {Kind::kDifferent, std::move(condition.left), {read_term()}};
  } else if (take_word("in")) {
    condition = {Kind::kOneOf, std::move(condition.left), read_term().elements};
  }
  return condition;
}

}  // namespace

Result<RewriteRules> RewriteRules::parse(std::string_view text) {
  RewriteRules rules;
  CHECK_OK(rules.add(text));
  return rules;
}

Status RewriteRules::add(std::string_view text) {
  RuleParser parser(text, std::move(rules_));
  TRY(read, parser.read());
  rules_ = std::move(read);
  return Unit{};
}

const RewriteRule* RewriteRules::part(std::string_view name) const {
  const auto found = std::find_if(rules_.begin(), rules_.end(),
                                  [&](const RewriteRule& rule) { return rule.op == name; });
  return found == rules_.end() || !found->is_part() ? nullptr : &*found;
}

}  // namespace cryo
