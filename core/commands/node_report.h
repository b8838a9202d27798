#pragma once

#include "commands/report.h"

namespace cryo {

class OpRegistry;

// One node and what stands around it, as the report's member "node":
//
//     {"name", "op", "device",
//      "attrs":     [{"name", "kind", "value"}],                         see attr_json.h
//      "inputs":    [{"tensor", "node", "op", "port", "control", "dtype", "shape"}],
//      "outputs":   [{"port", "dtype", "shape"}],
//      "consumers": [{"node", "op", "input", "port", "control"}],
//      "calls":     ["f"]}                                               library functions it names
//
// `tensor` is the input as it is spelled; `node` and `op` are null where no such node is. Types
// and shapes are what the graph says itself, null where it does not. `function`: the library
// function in whose body the node is, its arguments being nodes of the op _Arg; "" is the main
// graph. `ops` may be null.
Status describe_node(const Model& model, const std::string& name, const std::string& function,
                     const OpRegistry* ops, Json& report);

}  // namespace cryo
