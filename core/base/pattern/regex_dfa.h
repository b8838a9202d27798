#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/pattern/regex.h"

namespace cryo {

// Decides whether an expression is found in a text, one table look-up a character. A state is the
// set of steps that wait for the next character, and is built when a text first comes to it:
//
//     ab*c    state {a}   on 'a' -> {a, b, c}   on 'b' -> {a, b, c}   on 'c' -> found
//
// (Russ Cox, "Regular Expression Matching in the Wild", On-the-fly construction.) When the states
// fill their memory all are dropped, so a character costs at most one walk over the program.
class RegexDfa {
 public:
  // REQUIRES: the same expression in every call.
  bool finds(const Regex& regex, std::string_view text);

 private:
  static constexpr uint32_t kFound = 0xFFFFFFFF;
  static constexpr uint32_t kUnknown = 0xFFFFFFFE;
  static constexpr size_t kMaxNumbers = size_t{1} << 20;

  using Steps = std::vector<uint32_t>;
  struct State {
    Steps steps = {};           // of the kind kSet, sorted
    bool found_at_end = false;  // found where the text ends here
    std::vector<uint32_t> next = std::vector<uint32_t>(256, kUnknown);
  };

  void restart(const Regex& regex);
  bool follow(const Regex& regex, Steps from, bool at_begin, bool at_end, Steps& waiting);
  uint32_t state_of(const Regex& regex, const Steps& from, bool at_begin);
  uint32_t next_of(const Regex& regex, uint32_t state, unsigned char c);

  std::vector<State> states_;
  uint32_t start_ = kUnknown;              // the state at the beginning of a text
  std::map<Steps, uint32_t> by_steps_[2];  // by found_at_end
  std::vector<bool> seen_;                 // by step
  size_t numbers_ = 0;                     // in all states
};

}  // namespace cryo
