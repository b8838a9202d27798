#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "validate/graph/library.h"

namespace cryo {

class OpRegistry;

// Folds branches (passes/set/fold_branches.h) in the bodies of functions that receive the constants
// in `set` as arguments: in calls, branches, loops that pass them on unchanged, and in
// functions that those call:
//
//     before  y: PartitionedCall(x, p)[f]            f(a, q):        If(q, a)[then, else]
//     after   y: PartitionedCall(x, p)[f_set_0]      f_set_0(a, q):  PartitionedCall(a)[then]
//
// The functions are copies with the same arguments; the library's own are kept for other callers. A
// body is kept if its result would be dead, or if it takes lists.
//
// Returns the same model if nothing is folded. `ops` determines the ports of outputs.
Model fold_branches_in_functions(const Model& model, const std::vector<std::string>& set,
                                 const OpRegistry& ops);

// Returns the function of a plain call that can be inlined; null for other nodes, and for recursive
// functions.
const LibraryFunction* inlinable_function(const Node& node, const Library& library,
                                          const Graph& graph);

// The calls of the main graph in whose bodies something is decided: inlined, they lose the captured
// weights of branches that are not taken. Without calls of recursive functions.
std::vector<std::string> calls_with_folded_branches(const Model& model,
                                                    const std::vector<std::string>& set,
                                                    const OpRegistry& ops);

}  // namespace cryo
