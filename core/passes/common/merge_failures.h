#pragma once

#include <vector>

#include "base/diagnostic.h"

namespace cryo {

// Returns one error for several variables: that of the first, and the names of all.
//
//     Key a not found in checkpoint; the same for 2 variables: a, b
//
// REQUIRES: there is at least one.
Diagnostic merge_failures(const std::vector<Diagnostic>& failures);

}  // namespace cryo
