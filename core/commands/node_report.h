#pragma once

#include <string>

#include "base/json_writer.h"
#include "base/result.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// Adds one node and its neighbors to a report's members, as the member "node":
//
//     {"name", "op", "device",
//      "attrs":     [{"name", "kind", "value"}],                         see attr_json.h
//      "inputs":    [{"tensor", "node", "op", "port", "control", "dtype", "shape"}],
//      "outputs":   [{"port", "dtype", "shape"}],
//      "consumers": [{"node", "op", "input", "port", "control"}],
//      "calls":     ["f"]}                                               library functions it names
//
// `tensor` is the input as spelled; `node` and `op` are null if no such node exists. Types and
// shapes are those that the graph declares, null otherwise. `function`: the library function whose
// body has the node, with its arguments as nodes of the op _Arg; "" is the main graph. `ops` may be
// null.
Status describe_node(const Model& model, const std::string& name, const std::string& function,
                     const OpRegistry* ops, JsonWriter& members);

}  // namespace cryo
