#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cryo {

// Returns suggestions for a misspelled name, the nearest first: names that differ in few letters,
// or that contain all of it. At most `most`; empty if no name is near.
//
//     "attr-mising" --> attr-missing          "colocation" --> unknown-colocation
std::vector<std::string> suggestions(std::string_view wanted,
                                     const std::vector<std::string_view>& names, size_t most = 3);

// Returns " (did you mean a or b?)"; empty if no name is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string_view>& names);

}  // namespace cryo
