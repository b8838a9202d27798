#pragma once

#include "commands/verbs.h"

namespace cryo {

// compat: which TensorFlow releases and other runtimes load and run the model's graph, and what
// stops the others. "targets": [{"name", "loads", "runs", "blockers"}].
//
// The status is kNo if a target that the options name does not run it. Fails with
// "ops-not-loaded" if the host has no `compat` data.
Outcome run_compat(const Model& model, const Options& options, const OpRegistry* ops,
                   const Diagnostics& opening);

}  // namespace cryo
