#pragma once

#include "graph/fresh_names.h"
#include "passes/common/call_body.h"
#include "validate/graph/library.h"
#include "wire/payloads.h"

namespace cryo {

// Lowers functional control flow to the nodes of TensorFlow 1 around calls of its functions:
//
//     loop: While(i, w)[cond, body]        Enter(i) -> Merge -> Switch -> body -> NextIteration
//                                                       ^  \-> cond -> LoopCond      |
//                                                       +----------------------------+
//                                          Exit(Switch:0) is loop:0
//
//     pick: If(p, x)[then, else]           Switch(x, p):1 -> then --> Merge, which is pick:0
//                                                     :0 -> else ----^
//
// A Case is a series of Ifs: is it branch 0, else 1, ...; any other index is the last branch. A
// value that a loop's body returns unchanged (`w` above) enters as a constant of the loop and is
// not passed on. Names are `loop/Enter_1`, `loop/body`. Inline the calls (passes/inline/inline.h)
// if control flow must be entirely plain: the calls are in a context where nodes without inputs
// have to be gated.
//
// Source: TensorFlow's own lowering (common_runtime/lower_while_op.cc, lower_if_op.cc,
// lower_case_op.cc), except that a Case becomes Switches, because GraphDefs cannot hold _SwitchN.
//
// Fails where a function is missing, or takes or gives another number of values than the node, and
// with "too-large" where the nodes take more than is left of the budget.
Result<CallBody> lower_call(const Node& node, const Library& library, FreshNames& names,
                            GrowthBudget& budget, Payloads& payloads);

}  // namespace cryo
