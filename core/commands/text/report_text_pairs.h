#pragma once

#include <string>

#include "wire/json/json_tree.h"

namespace cryo {

// Returns the part of a transfer's report about the target's variables.
std::string transfer_text(const JsonValue& report, bool verbose);

// Returns the part of a refused transfer's report about mismatched and unmatched variables.
std::string lost_text(const JsonValue& report, bool verbose);

// "2 of 9 elements, the first at [0,1]; largest difference 0.5, relative 0.2", of a type; or what
// the type is there.
std::string difference_text(const JsonValue& difference, const JsonValue& dtype);

// A report of verify.
std::string verify_text(const JsonValue& report, bool verbose);

// A report of diff.
std::string diff_text(const JsonValue& report, bool verbose);

}  // namespace cryo
