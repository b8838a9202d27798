#pragma once

#include <string_view>

#include "base/pattern/glob.h"
#include "base/pattern/rename.h"

namespace cryo {

// The names of weights as people and TensorFlow write them. The tensor and the read of a weight
// name the weight:
//
//     conv/w:0   conv/w/read   conv/w/Read/ReadVariableOp:0      conv/w
std::string_view plain_weight_name(std::string_view name);

// Returns true if a glob matches a weight's name or one of these forms of it:
//
//     conv/w   conv/w:0   conv/w/read   **/read      conv/w
//     /read/                                         weights with "read" in their name, no others
bool names_weight(const Glob& glob, std::string_view weight);

// The form that a glob is written for: "/read:0" of "a/read:0" and of "**/read:0"; of a regular
// expression only where its end is anchored. Empty: no form but the name.
std::string_view ending_of_weight(const Glob& glob);

// The same for the FROM of rules (rename.h): by "**/read=**" the weight a is called a.
Renamed renamed_weight(const std::vector<RenameRule>& rules, std::string_view weight);

}  // namespace cryo
