#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cryo {

class RegexDfa;

// A regular expression, found anywhere in a text unless it is anchored:
//
//     "^conv\d+/"  finds itself in "conv12/weights", at 0, of 7 characters
//
//     literals    any character but  . [ ( ) * + ? { | ^ $ \ ; those with \ in front
//     .           any character
//     [a-z_] [^/] a character of a class, or not; \d \w \s \D \W \S within and without
//     (ab|cd)     a group, whose match is recorded; (?:ab) one whose match is not
//     * + ? {m} {m,} {m,n}   repeated, as often as possible; with ? after it as rarely as possible
//     ^ $         the text's beginning and end
//
// Characters are bytes: a letter that is not ASCII is several. If several matches exist, the one
// that begins first is taken, then the one that backtracking would find first. No backreferences,
// no look-around, no flags.
//
// Time is at most the product of the text's size and the program's, which has at most 10,000 steps
// (Thompson's simulation, with captures as Pike has them; Russ Cox, "Regular Expression Matching:
// the Virtual Machine Approach"). Whether an expression is found takes time by the text's size
// alone once the states that texts lead to are known (base/pattern/regex_dfa.h).
class Regex {
 public:
  // "bad-option", with the place of the fault. Of an expression that repeats too much, too.
  static Result<Regex> parse(std::string_view pattern);

  bool finds(std::string_view text) const;

  // The same, and the match of each group: taken[0] is the whole, taken[1] the first group. A group
  // without a match is empty.
  bool finds(std::string_view text, std::vector<std::string_view>& taken) const;

  size_t groups() const { return groups_; }

 private:
  friend class RegexParser;
  friend class RegexRun;
  friend class RegexDfa;

  // One step of the program. A character is of `set`; the others go on without one.
  struct Step {
    enum Kind : uint8_t { kSet, kSplit, kJump, kSave, kTextBegin, kTextEnd, kFound };
    Kind kind = kFound;
    uint32_t to = 0;     // kSplit, kJump: the way that is tried first; kSave: the slot
    uint32_t other = 0;  // kSplit: the other way; kSet: of sets_
  };
  struct Set {
    uint64_t bits[4] = {};
    bool has(unsigned char c) const { return (bits[c / 64] >> (c % 64) & 1) != 0; }
    void add(unsigned char c) { bits[c / 64] |= uint64_t{1} << (c % 64); }
    void invert();
    void add(const Set& other);
  };

  std::vector<Step> steps_;
  std::vector<Set> sets_;
  size_t groups_ = 0;
  mutable std::shared_ptr<RegexDfa> dfa_;  // shared by copies, which have the same program
};

}  // namespace cryo
