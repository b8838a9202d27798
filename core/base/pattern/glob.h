#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern/regex.h"

namespace cryo {

// Returns true if `name` matches `glob`: `*` is anything within a scope, `**` anything across
// scopes, all else itself. `*` alone is any name. Time is at most the product of the two sizes.
//     matches("conv*/weights", "conv1/weights")   matches("logits/**", "logits/a/b")
bool matches(std::string_view glob, std::string_view name);

// The same, and the text that each star matched, which is the shortest possible:
//     matches("a/*/**", "a/b/c/d", taken)   taken: "b", "c/d"
bool matches(std::string_view glob, std::string_view name, std::vector<std::string_view>& taken);

// A GLOB as a person writes it: with stars as above, which are for the whole name; or between
// slashes a regular expression (base/pattern/regex.h), which is found anywhere in it:
//
//     conv*/weights       conv1/weights, not a/conv1/weights
//     /weights/           a/conv1/weights, weights_1
//     /^conv\d+\/w/       conv1/weights (a slash within may as well stand without its \)
class Glob {
 public:
  // One with stars alone, whatever it begins with.
  template <typename Text>
  requires(std::convertible_to<const Text&, std::string_view>) Glob(const Text& stars)
      : text_(std::string_view(stars)) {}

  // Fails with "bad-option" for an invalid regular expression, with the place of the fault, and for
  // stars among more than kMaxGlobBytes.
  static constexpr size_t kMaxGlobBytes = 10'000;
  static Result<Glob> parse(std::string_view text);

  bool matches(std::string_view name) const {
    return regex_ == nullptr ? cryo::matches(text_, name) : regex_->finds(name);
  }

  const std::string& text() const { return text_; }    // as written
  const Regex* regex() const { return regex_.get(); }  // nullptr for one with stars

 private:
  std::string text_;
  std::shared_ptr<const Regex> regex_;
};

}  // namespace cryo
