#include <algorithm>

#include "base/pattern/regex.h"
#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

constexpr size_t kMaxSteps = 10000;
constexpr size_t kMaxGroups = 20;
constexpr uint32_t kMaxTimes = 1000;
constexpr int kMaxDepth = 100;
constexpr uint32_t kForever = 0xFFFFFFFF;

}  // namespace

// Parses an expression once, from left to right, and appends the steps of each part. A step that a
// part turns out to need in front of it, because it is repeated or an alternative, is inserted
// before its steps.
//
//     a|b    split 1 3; a; jump 4; b            a*    split 1 3; a; split 1 3
class RegexParser {
 public:
  RegexParser(std::string_view pattern, Regex& regex) : pattern_(pattern), regex_(regex) {}
  Status run();

 private:
  using Step = Regex::Step;
  using Set = Regex::Set;
  using Steps = std::vector<Step>;

  Result<Steps> alternatives();
  Result<Steps> sequence();
  Result<Steps> atom();
  Result<Steps> group();
  Result<Steps> repeated(Steps once);
  Result<Set> bracket();
  Result<Set> escape();
  Status times(uint32_t& least, uint32_t& most);
  bool number(uint32_t& value);
  Status append(Steps& to, const Steps& more) const;
  Steps set(const Set& set);
  Failure fault(std::string_view what) const;

  bool at_end() const { return at_ == pattern_.size(); }
  bool at(char c) const { return !at_end() && pattern_[at_] == c; }
  bool take(char c) {
    const bool there = at(c);
    if (there) ++at_;
    return there;
  }

  std::string_view pattern_;
  Regex& regex_;
  size_t at_ = 0;
  int depth_ = 0;
};

Failure RegexParser::fault(std::string_view what) const {
  return failure("bad-option",
                 cat("the regular expression /", printable(pattern_, 200), "/ ", what,
                     " at character ", at_ + 1),
                 {}, "put \\ before a character that stands for itself");
}

// Steps refer to each other by distance, so the steps of a part can be moved.
Status RegexParser::append(Steps& to, const Steps& more) const {
  if (to.size() + more.size() > kMaxSteps) return fault("is too long, repeated parts counted,");
  to.insert(to.end(), more.begin(), more.end());
  return Unit{};
}

RegexParser::Steps RegexParser::set(const Set& set) {
  regex_.sets_.push_back(set);
  return {{Step::kSet, 0, static_cast<uint32_t>(regex_.sets_.size() - 1)}};
}

Result<RegexParser::Steps> RegexParser::alternatives() {
  TRY(first, sequence());
  Steps all = std::move(first);
  while (take('|')) {
    TRY(next, sequence());
    Steps both = {{Step::kSplit, 1, static_cast<uint32_t>(all.size() + 2)}};
    CHECK_OK(append(both, all));
    both.push_back({Step::kJump, static_cast<uint32_t>(next.size() + 1)});
    CHECK_OK(append(both, next));
    all = std::move(both);
  }
  return all;
}

Result<RegexParser::Steps> RegexParser::sequence() {
  Steps all;
  while (!at_end() && !at('|') && !at(')')) {
    TRY(once, atom());
    TRY(times, repeated(std::move(once)));
    CHECK_OK(append(all, times));
  }
  return all;
}

Result<RegexParser::Steps> RegexParser::atom() {
  if (take('(')) return group();
  if (take('^')) return Steps{{Step::kTextBegin}};
  if (take('$')) return Steps{{Step::kTextEnd}};
  if (at('*') || at('+') || at('?') || at('{')) return fault("repeats nothing");
  Set one;
  if (take('.')) {
    one.invert();
  } else if (take('[')) {
    TRY(chosen, bracket());
    one = chosen;
  } else if (take('\\')) {
    TRY(escaped, escape());
    one = escaped;
  } else {
    one.add(static_cast<unsigned char>(pattern_[at_++]));
  }
  return set(one);
}

Result<RegexParser::Steps> RegexParser::group() {
  if (++depth_ > kMaxDepth) return fault("nests too many groups");
  const bool captures = !take('?');
  if (!captures && !take(':')) return fault("expected (?: or a group without ?");
  Steps all;
  if (captures && ++regex_.groups_ > kMaxGroups) return fault("has too many groups");
  const auto slot = static_cast<uint32_t>(2 * regex_.groups_);
  if (captures) all.push_back({Step::kSave, slot});
  TRY(inner, alternatives());
  CHECK_OK(append(all, inner));
  if (captures) all.push_back({Step::kSave, slot + 1});
  if (!take(')')) return fault("expected )");
  --depth_;
  return all;
}

// Parses "{2,5}", after its brace.
Status RegexParser::times(uint32_t& least, uint32_t& most) {
  if (!number(least)) return fault("expected a number of times, up to 1000,");
  most = least;
  if (take(',') && !at('}')) {
    if (!number(most)) return fault("expected a number of times, up to 1000,");
  } else if (pattern_[at_ - 1] == ',') {
    most = kForever;
  }
  if (!take('}')) return fault("expected }");
  if (most < least) return fault("repeats at most fewer times than at least,");
  return Unit{};
}

bool RegexParser::number(uint32_t& value) {
  const size_t begin = at_;
  value = 0;
  while (!at_end() && pattern_[at_] >= '0' && pattern_[at_] <= '9' && value <= kMaxTimes) {
    value = value * 10 + static_cast<uint32_t>(pattern_[at_++] - '0');
  }
  return at_ > begin && value <= kMaxTimes;
}

Result<RegexParser::Steps> RegexParser::repeated(Steps once) {
  uint32_t least = 1, most = 1;
  if (take('*')) {
    least = 0;
    most = kForever;
  } else if (take('+')) {
    most = kForever;
  } else if (take('?')) {
    least = 0;
  } else if (take('{')) {
    CHECK_OK(times(least, most));
  } else {
    return once;
  }
  const bool few = take('?');
  if (at('*') || at('+') || at('?') || at('{')) return fault("repeats what is repeated");
  const auto size = static_cast<uint32_t>(once.size());
  // Matches the part again, or continues after it.
  const auto split = [&](uint32_t again, uint32_t past) {
    return few ? Step{Step::kSplit, past, again} : Step{Step::kSplit, again, past};
  };
  Steps all;
  for (uint32_t i = most == kForever ? 1 : 0; i < least; ++i) CHECK_OK(append(all, once));
  // The last copy is repeated by a split after it: once it matched nothing, the rest follows.
  if (most == kForever) {
    if (least == 0) CHECK_OK(append(all, {split(1, size + 2)}));
    CHECK_OK(append(all, once));
    CHECK_OK(append(all, {split(0U - size, 1)}));
    return all;
  }
  for (uint32_t left = most - least; left > 0; --left) {
    CHECK_OK(append(all, {split(1, left * (size + 1))}));
    CHECK_OK(append(all, once));
  }
  return all;
}

// Parses "[^a-z\d]", after its bracket.
Result<RegexParser::Set> RegexParser::bracket() {
  const bool others = take('^');
  Set all;
  bool first = true;
  while (first || !at(']')) {
    if (at_end()) return fault("expected ]");
    first = false;
    Set one;
    const auto begin = static_cast<unsigned char>(pattern_[at_]);
    bool single = !take('\\');
    if (single) {
      one.add(begin);
      ++at_;
    } else {
      TRY(escaped, escape());
      one = escaped;
    }
    const bool range = single && at('-') && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']';
    if (range) {
      ++at_;
      take('\\');
      if (at_end()) return fault("expected ]");
      const auto end = static_cast<unsigned char>(pattern_[at_]);
      if (end < begin) return fault("has a range that ends before it begins,");
      ++at_;
      for (unsigned c = begin; c <= end; ++c) one.add(static_cast<unsigned char>(c));
    }
    all.add(one);
  }
  ++at_;
  if (others) all.invert();
  return all;
}

// Parses an escape, after its backslash. Letters and digits have a special meaning, or none yet.
Result<RegexParser::Set> RegexParser::escape() {
  if (at_end()) return fault("ends with a \\");
  const char c = pattern_[at_];
  const char lower = static_cast<char>(c | 0x20);
  const bool letter = (lower >= 'a' && lower <= 'z');
  const bool digit = c >= '0' && c <= '9';
  Set all;
  if (lower == 'd' || lower == 'w') {
    for (unsigned char each = '0'; each <= '9'; ++each) all.add(each);
  }
  if (lower == 'w') {
    for (unsigned char each = 'a'; each <= 'z'; ++each) all.add(each);
    for (unsigned char each = 'A'; each <= 'Z'; ++each) all.add(each);
    all.add('_');
  } else if (lower == 's') {
    for (const char each : {' ', '\t', '\n', '\v', '\f', '\r'}) {
      all.add(static_cast<unsigned char>(each));
    }
  } else if (lower != 'd') {
    if (letter || digit) return fault("has an escape that is not known");
    all.add(static_cast<unsigned char>(c));
  }
  if (letter && c != lower) all.invert();
  ++at_;
  return all;
}

Status RegexParser::run() {
  TRY(all, alternatives());
  if (!at_end()) return fault("has a ) too many");
  Steps steps = {{Step::kSave, 0}};
  CHECK_OK(append(steps, all));
  steps.push_back({Step::kSave, 1});
  steps.push_back({Step::kFound});
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto here = static_cast<uint32_t>(i);
    Step& step = steps[i];
    if (step.kind == Step::kSplit || step.kind == Step::kJump) step.to += here;
    if (step.kind == Step::kSplit) step.other += here;
  }
  regex_.steps_ = std::move(steps);
  return Unit{};
}

Result<Regex> Regex::parse(std::string_view pattern) {
  Regex regex;
  CHECK_OK(RegexParser(pattern, regex).run());
  return regex;
}

}  // namespace cryo
