#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern/glob.h"

namespace cryo {

// Finds the globs that may match a name by the text before their first star. A glob without stars
// is found by its whole text, a regular expression always:
//
//     name conv1/w    found   conv1/*  conv*  **/w  /w$/  conv1/w     not   conv2/*  conv1/b
class GlobIndex {
 public:
  // `place`: the glob's among all of them.
  void add(const Glob& glob, uint32_t place);

  // Calls visit(place) of each such glob until a call returns true. Returns whether one did.
  template <typename Visit>
  bool any_candidate(std::string_view name, const Visit& visit) const {
    for (const auto& [length, heads] : by_head_) {
      if (length > name.size()) break;
      if (any_in(heads, name.substr(0, length), visit)) return true;
    }
    return any_in(whole_, name, visit);
  }

 private:
  using Places = std::map<std::string, std::vector<uint32_t>, std::less<>>;

  template <typename Visit>
  static bool any_in(const Places& places, std::string_view text, const Visit& visit) {
    const auto found = places.find(text);
    if (found == places.end()) return false;
    for (const uint32_t place : found->second) {
      if (visit(place)) return true;
    }
    return false;
  }

  Places whole_;                      // without stars
  std::map<size_t, Places> by_head_;  // by the length of the text before the first star
};

}  // namespace cryo
