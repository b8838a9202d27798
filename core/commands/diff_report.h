#pragma once

#include "commands/verbs.h"

namespace cryo {

// Compares the model with `options.other()`, as INTERFACE.md's report of `diff`. Status 1 if
// they differ, 3 if some weights could not be compared. `opening`: the findings of opening both.
Outcome run_diff(const Model& model, const Options& options, const Diagnostics& opening);

}  // namespace cryo
