#pragma once

#include "commands/verbs.h"

namespace cryo {

class OpRegistry;

// Adds one of a model's lists, whole: `options.what` is nodes (of `options.function` if it is not
// empty), ops, weights, inputs, outputs, signatures, functions, assets or collections. Fails on any
// other word.
Status list(const Model& model, const Options& options, const OpRegistry* registry,
            Outcome& outcome);

}  // namespace cryo
