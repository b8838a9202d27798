#include "base/pattern/regex.h"

#include "base/pattern/regex_dfa.h"

namespace cryo {

void Regex::Set::invert() {
  for (uint64_t& each : bits) each = ~each;
}

void Regex::Set::add(const Set& other) {
  for (size_t i = 0; i < 4; ++i) bits[i] |= other.bits[i];
}

// All ways through the program at once, one character after the other: a list of the steps that
// wait for the next one, the way that is to be taken first in front. A step is in it once.
class RegexRun {
 public:
  RegexRun(const Regex& regex, std::string_view text)
      : regex_(regex), text_(text), seen_(regex.steps_.size(), kNever) {}

  // REQUIRES: the expression is found in the text.
  void run();
  const std::vector<size_t>& slots() const { return found_; }

 private:
  static constexpr size_t kNever = std::string_view::npos;
  struct Thread {
    uint32_t step;
    std::vector<size_t> slots;
  };
  void follow(uint32_t step, std::vector<size_t> slots, size_t place, std::vector<Thread>& to);

  const Regex& regex_;
  std::string_view text_;
  std::vector<size_t> seen_;  // the place for which a step was last put into a list
  std::vector<Thread> stack_;
  std::vector<size_t> found_;
};

// Adds the steps to the list that can be reached from a step without a character.
void RegexRun::follow(uint32_t step, std::vector<size_t> slots, size_t place,
                      std::vector<Thread>& to) {
  stack_.push_back({step, std::move(slots)});
  while (!stack_.empty()) {
    Thread thread = std::move(stack_.back());
    stack_.pop_back();
    if (seen_[thread.step] == place) continue;
    seen_[thread.step] = place;
    const Regex::Step& at = regex_.steps_[thread.step];
    switch (at.kind) {
      case Regex::Step::kSplit:
        stack_.push_back({at.other, thread.slots});
        [[fallthrough]];
      case Regex::Step::kJump:
        stack_.push_back({at.to, std::move(thread.slots)});
        break;
      case Regex::Step::kSave:
        thread.slots[at.to] = place;
        stack_.push_back({thread.step + 1, std::move(thread.slots)});
        break;
      case Regex::Step::kTextBegin:
      case Regex::Step::kTextEnd:
        if (place != (at.kind == Regex::Step::kTextBegin ? 0 : text_.size())) break;
        stack_.push_back({thread.step + 1, std::move(thread.slots)});
        break;
      case Regex::Step::kSet:
      case Regex::Step::kFound:
        to.push_back(std::move(thread));
        break;
    }
  }
}

void RegexRun::run() {
  const std::vector<size_t> none(2 * regex_.groups() + 2, kNever);
  std::vector<Thread> now, next;
  for (size_t place = 0; place <= text_.size(); ++place) {
    if (found_.empty()) follow(0, none, place, now);
    next.clear();
    for (Thread& thread : now) {
      const Regex::Step& at = regex_.steps_[thread.step];
      if (at.kind == Regex::Step::kFound) {
        found_ = std::move(thread.slots);
        break;  // lower priority from here on
      }
      const bool goes_on = place < text_.size() &&
                           regex_.sets_[at.other].has(static_cast<unsigned char>(text_[place]));
      if (goes_on) follow(thread.step + 1, std::move(thread.slots), place + 1, next);
    }
    std::swap(now, next);
  }
}

bool Regex::finds(std::string_view text) const {
  if (dfa_ == nullptr) dfa_ = std::make_shared<RegexDfa>();
  return dfa_->finds(*this, text);
}

bool Regex::finds(std::string_view text, std::vector<std::string_view>& taken) const {
  taken.clear();
  if (!finds(text)) return false;
  RegexRun run(*this, text);
  run.run();
  for (size_t i = 0; i <= groups_; ++i) {
    const size_t begin = run.slots()[2 * i], end = run.slots()[2 * i + 1];
    const bool took = begin != std::string_view::npos && end != std::string_view::npos;
    taken.push_back(took ? text.substr(begin, end - begin) : text.substr(0, 0));
  }
  return true;
}

}  // namespace cryo
