#pragma once

#include "cli/report.h"

namespace cryo {

class OpRegistry;

// One of a model's lists, whole: `what` is nodes, ops, weights, inputs, outputs, signatures,
// functions, assets or collections. Adds it to the report under that name. Fails on any other word.
Status list(const Model& model, const std::string& what, const OpRegistry* registry, Json& report);

}  // namespace cryo
