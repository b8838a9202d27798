#pragma once

#include "passes/pass.h"

namespace cryo {

// What the constants that `options.set` names decide in the bodies of functions that are handed
// them (passes/set/fold_branches.h), in calls, branches, loops that hand them on unchanged, and in
// what those call:
//
//     before  y: PartitionedCall(x, p)[f]            f(a, q):        If(q, a)[then, else]
//     after   y: PartitionedCall(x, p)[f_set_0]      f_set_0(a, q):  PartitionedCall(a)[then]
//
// The functions are copies, their arguments the same; the library's own stay for who else calls
// them. A body stays as it is where what it gives would be dead, or where it takes lists.
//
// The model itself where nothing is decided, and without `options.ops`, by which outputs are told.
Model decide_in_functions(const Model& model, const PassOptions& options);

// The calls of the main graph in whose bodies something is decided: inlined, they lose the captured
// weights of branches that are not taken. Without calls of recursive functions.
std::vector<std::string> decided_calls(const Model& model, const PassOptions& options);

}  // namespace cryo
