#pragma once

#include "passes/pass.h"

namespace cryo {

// What the constants that `options.set` names decide (passes/set/constant_propagation.h) is
// decided:
//
//     before   p: Const[false] ----v                 after
//              x --> s: Switch --:1--> dropout --v          x --> s: Identity --v
//                              --:0--------------> m: Merge            m: Identity --> y
//
//     Switch, RefSwitch      with a known condition: an Identity, or RefIdentity
//     Merge, RefMerge        of which one input can live: the same; its value_index a constant.
//                            Of several inputs the dead ones go
//     Select, SelectV2       with a known scalar: an Identity of the one that is chosen; SelectV2
//                            only where the shapes are known not to be broadcast
//     If, Case, Stateless... with a known branch: a call of its function
//     PlaceholderWithDefault of a known value: an Identity
//
// Nodes keep names and order; what is dead goes, with what signatures and collections say of it. A
// control edge to a node that lives always and does nothing goes too. Run prune() to drop what is
// no longer needed.
//
// Fails with "decided-away" where an output or input that was asked for is dead, or is a port that
// is no more; "merge-index" where it is asked which of several inputs a Merge took.
struct DecidedModel {
  Model model;
  std::vector<std::string> calls = {};  // nodes of branches that became calls
};
Result<DecidedModel> decide(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
