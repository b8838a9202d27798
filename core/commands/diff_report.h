#pragma once

#include "commands/verbs.h"

namespace cryo {

// How the model and `options.pass.other` differ, as INTERFACE.md's report of `diff`. Status 1 where
// they do, 3 where some weights could not be compared. `opening`: what was found while both were
// opened.
Outcome run_diff(const Model& model, const Options& options, const Diagnostics& opening);

}  // namespace cryo
