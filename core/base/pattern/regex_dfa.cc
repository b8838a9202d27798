#include "base/pattern/regex_dfa.h"

#include <algorithm>

#include "base/sort.h"

namespace cryo {

// Collects the steps of the kind kSet that can be reached without a character. Returns whether the
// end of the expression can.
bool RegexDfa::follow(const Regex& regex, Steps from, bool at_begin, bool at_end, Steps& waiting) {
  seen_.assign(regex.steps_.size(), false);
  bool found = false;
  while (!from.empty()) {
    const uint32_t i = from.back();
    from.pop_back();
    if (seen_[i]) continue;
    seen_[i] = true;
    const Regex::Step& step = regex.steps_[i];
    switch (step.kind) {
      case Regex::Step::kSplit:
        from.push_back(step.other);
        [[fallthrough]];
      case Regex::Step::kJump:
        from.push_back(step.to);
        break;
      case Regex::Step::kTextBegin:
        if (at_begin) from.push_back(i + 1);
        break;
      case Regex::Step::kTextEnd:
        if (at_end) from.push_back(i + 1);
        break;
      case Regex::Step::kSave:
        from.push_back(i + 1);
        break;
      case Regex::Step::kSet:
        waiting.push_back(i);
        break;
      case Regex::Step::kFound:
        found = true;
        break;
    }
  }
  sort(waiting);
  return found;
}

uint32_t RegexDfa::state_of(const Regex& regex, const Steps& from, bool at_begin) {
  State state;
  if (follow(regex, from, at_begin, false, state.steps)) return kFound;
  Steps unused;
  state.found_at_end = follow(regex, from, at_begin, true, unused);
  auto& known = by_steps_[state.found_at_end ? 1 : 0];
  const auto found = known.find(state.steps);
  if (found != known.end()) return found->second;
  const auto made = static_cast<uint32_t>(states_.size());
  numbers_ += 2 * state.steps.size() + state.next.size();
  known.emplace(state.steps, made);
  states_.push_back(std::move(state));
  return made;
}

void RegexDfa::restart(const Regex& regex) {
  states_.clear();
  for (auto& known : by_steps_) known.clear();
  numbers_ = 0;
  start_ = state_of(regex, {0}, true);
}

uint32_t RegexDfa::next_of(const Regex& regex, uint32_t state, unsigned char c) {
  if (states_[state].next[c] != kUnknown) return states_[state].next[c];
  Steps from = {0};
  for (const uint32_t step : states_[state].steps) {
    if (regex.sets_[regex.steps_[step].other].has(c)) from.push_back(step + 1);
  }
  if (numbers_ > kMaxNumbers) {
    restart(regex);
    return state_of(regex, from, false);
  }
  const uint32_t next = state_of(regex, from, false);
  return states_[state].next[c] = next;
}

bool RegexDfa::finds(const Regex& regex, std::string_view text) {
  if (start_ == kUnknown) restart(regex);
  uint32_t state = start_;
  for (const char c : text) {
    if (state == kFound) return true;
    state = next_of(regex, state, static_cast<unsigned char>(c));
  }
  return state == kFound || states_[state].found_at_end;
}

}  // namespace cryo
