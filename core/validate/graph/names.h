#pragma once

#include "graph/edges.h"
#include "validate/graph/findings.h"

namespace cryo {

// TensorFlow's grammar of node names: [A-Za-z0-9.][A-Za-z0-9_.\-/]*, any number of times, joined by
// '>'. `internal`: the first may also be '_', as the runtime names its own nodes and function
// bodies may.
bool is_node_name(std::string_view name, bool internal);

// Checks for illegal names, duplicate names, nodes without an op; in a main graph also for text
// that is not UTF-8 (the library's check covers functions).
void check_names(const std::vector<Node>& nodes, const NodeNames& names, bool internal,
                 const Reporter& reporter);

}  // namespace cryo
