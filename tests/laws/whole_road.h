#pragma once

#include <set>
#include <string>

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo::laws {

using Codes = std::set<std::string>;

// Takes a model through all of it: inspect, list, validate, every pass (converting, which changes
// nothing, among them), and each result written in every form. What comes out is thrown away;
// `codes` receives those of all that was told and refused.
void whole_road(const Model& model, const OpRegistry& ops, Codes& codes);

}  // namespace cryo::laws
