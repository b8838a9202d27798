#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern/glob_index.h"
#include "base/pattern/weight_name.h"

namespace cryo {

// The globs of an option, which name weights (base/pattern/weight_name.h). A weight is compared
// only with those that may name it: 20,000 globs that begin differently cost no more than a few.
class Globs {
 public:
  Globs() = default;
  Globs(std::initializer_list<Glob> globs);
  void push_back(Glob glob);

  std::vector<Glob>::const_iterator begin() const { return all_.begin(); }
  std::vector<Glob>::const_iterator end() const { return all_.end(); }
  size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  const Glob& operator[](size_t place) const { return all_[place]; }

  // Returns whether one of them names the weight.
  bool any_names(std::string_view weight) const;

  // Calls visit(place) of each glob that may name the weight, of some twice, until a call returns
  // true. Returns whether one did.
  template <typename Visit>
  bool any_candidate(std::string_view weight, const Visit& visit) const {
    const std::string_view plain = plain_weight_name(weight);
    for (const auto& [ending, index] : by_ending_) {
      if (index.any_candidate(weight, visit)) return true;
      if (plain != weight && index.any_candidate(plain, visit)) return true;
      if (!ending.empty() && index.any_candidate(std::string(plain) + ending, visit)) return true;
    }
    return false;
  }

 private:
  std::vector<Glob> all_;
  std::map<std::string, GlobIndex> by_ending_;  // "/read:0" of "**/read:0"
};

}  // namespace cryo
