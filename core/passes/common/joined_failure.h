#pragma once

#include <vector>

#include "base/diagnostic.h"

namespace cryo {

// What went wrong with several variables, told as one: of the first, and the names of all.
//
//     Key a not found in checkpoint; the same for 2 variables: a, b
//
// REQUIRES: there is one at least.
Diagnostic joint_failure(const std::vector<Diagnostic>& failures);

}  // namespace cryo
