#pragma once

#include <set>
#include <string>

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo::laws {

using Codes = std::set<std::string>;

// Runs everything on a model: inspect, list, validate, every pass (also converting, which changes
// nothing), and writes each result in every format. Results are discarded; `codes` receives the
// codes of all findings and errors.
void whole_road(const Model& model, const OpRegistry& ops, Codes& codes);

}  // namespace cryo::laws
