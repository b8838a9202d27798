#pragma once

#include "commands/verbs.h"

namespace cryo {

// Draws a model as INTERFACE.md's `draw`: the report has the view and its counts, the outcome the
// file.
Outcome run_draw(const Model& model, const Options& options, const OpRegistry* ops,
                 const Diagnostics& opening);

}  // namespace cryo
