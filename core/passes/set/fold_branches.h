#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/selection.h"

namespace cryo {

// Folds branches whose condition follows from the constants in `set`
// (passes/set/constant_propagation.h):
//
//     before   p: Const[false] ----v                 after
//              x --> s: Switch --:1--> dropout --v          x --> s: Identity --v
//                              --:0--------------> m: Merge            m: Identity --> y
//
//     Switch, RefSwitch      with a known condition: an Identity, or RefIdentity
//     Merge, RefMerge        with one input that can be alive: the same; its value_index a
//                            constant. With several such inputs, the dead ones are removed
//     Select, SelectV2       with a known scalar: an Identity of the selected one; SelectV2
//                            only if the shapes are known not to be broadcast
//     If, Case, Stateless... with a known branch: a call of its function
//     PlaceholderWithDefault of a known value: an Identity
//
// Nodes keep names and order. Dead nodes are removed, with their entries in signatures and
// collections. A control edge to a node that is always alive and does nothing is removed too. Run
// prune() to drop nodes that are no longer needed.
//
// Fails with "output-removed" if a requested output or input is dead, or is a port that no longer
// exists; with "merge-index" if a node reads which of several inputs a Merge took.
struct FoldedBranches {
  Model model;
  std::vector<std::string> calls = {};  // nodes of branches that became calls
};
// `set`: "NAME=VALUE", of which the names count.
Result<FoldedBranches> fold_branches(const Model& model, const std::vector<std::string>& set,
                                     const Selection& ends, Diagnostics& diagnostics);

// The same from all constants of which conditions are computed. The default of a placeholder does
// not count: another value may be fed.
Result<FoldedBranches> fold_constant_branches(const Model& model, const Selection& ends,
                                              Diagnostics& diagnostics);

// Returns, by node, whether these constants rule out that it runs.
std::vector<bool> ruled_out_by_constants(const Model& model);

}  // namespace cryo
