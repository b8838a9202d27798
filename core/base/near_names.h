#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cryo {

// What a misspelt name may have been meant to be, the nearest first: names with few letters other,
// or that have all of it within. At most `most`; none where nothing is near.
//
//     "attr-mising" --> attr-missing          "colocation" --> unknown-colocation
std::vector<std::string> near_names(std::string_view wanted,
                                    const std::vector<std::string_view>& names, size_t most = 3);

// " (did you mean a or b?)"; empty where nothing is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string_view>& names);

}  // namespace cryo
