#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/edges.h"
#include "model/model.h"

namespace cryo {

// Returns the error for a graph on which TensorFlow's own tool fails: it writes no result.
Failure tensorflow_fails(std::string_view why, std::string_view node = {});

// The nodes that TensorFlow's extract_sub_graph keeps, in the graph's order: what the outputs reach
// by data inputs, control inputs and, other than prune, by every entry of `_class`
// (tensorflow/python/framework/graph_util_impl.py).
//
//     y <- mm <- w                  keeps  w w/Adam mm y: an optimizer's slot that a needed node is
//          mm  _class: loc:@w/Adam         colocated with, and all that the slot needs
//
// Fails where one of those is not in the graph, as the tool does.
Result<std::vector<uint32_t>> sub_graph(const std::vector<Node>& nodes, const NodeNames& names,
                                        const std::vector<std::string>& outputs);

// A graph as Python's protobuf writes it (canonical.h), of these NodeDefs, these FunctionDefs, and
// what else of the library and the versions `base` has. Library and versions are written even if
// they are empty: the tool sets both.
Result<Graph> python_graph(const Model& base, const std::vector<std::string>& node_defs,
                           const std::vector<std::string>& function_defs);

}  // namespace cryo
