#pragma once

#include <string>

#include "wire/json/json_tree.h"

namespace cryo {

// Returns the report of compat as text. Successive releases with the same verdict are one row:
//
//     TensorFlow 1.2 to 1.12    does not load
//                               c: Conv2D: the op has no attribute 'x' (3 nodes); --strip-defaults
//     TensorFlow 1.13 to 2.21   loads, runs
std::string compat_text(const JsonValue& report, bool verbose);

}  // namespace cryo
