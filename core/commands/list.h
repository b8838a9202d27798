#pragma once

#include "commands/report.h"

namespace cryo {

class OpRegistry;

// Adds one of a model's lists, whole, to the report, under its name. `what` is nodes, ops, weights,
// inputs, outputs, signatures, functions, assets or collections. Fails on any other word.
Status list(const Model& model, const std::string& what, const OpRegistry* registry, Json& report);

// "nodes" of the body of a library function, in the vocabulary of FunctionView: the arguments come
// first, as nodes of the op _Arg.
Status list_body(const Model& model, const std::string& function, Json& report);

}  // namespace cryo
