#pragma once

#include "graph/fresh_names.h"
#include "passes/common/call_body.h"
#include "validate/graph/library.h"
#include "wire/payloads.h"

namespace cryo {

// While, If, Case and their stateless forms: control flow whose branches are functions.
bool is_functional_control_flow(std::string_view op);

// The same control flow as the nodes of TensorFlow 1 around calls of its functions:
//
//     loop: While(i, w)[cond, body]        Enter(i) -> Merge -> Switch -> body -> NextIteration
//                                                       ^  \-> cond -> LoopCond      |
//                                                       +----------------------------+
//                                          Exit(Switch:0) is loop:0
//
//     pick: If(p, x)[then, else]           Switch(x, p):1 -> then --> Merge, which is pick:0
//                                                     :0 -> else ----^
//
// A Case is a row of Ifs: is it branch 0, else 1, ...; what is none of them is the last one. What a
// loop's body hands on as it got it (`w` above) enters as a constant of the loop and goes round no
// more. Names are `loop/Enter_1`, `loop/body`; inline the calls (passes/inline/inline.h) where
// control flow must be plain altogether: they stand in a place where nodes without inputs have to
// be gated.
//
// The source is TensorFlow's own lowering (common_runtime/lower_while_op.cc, lower_if_op.cc,
// lower_case_op.cc), but that a Case becomes Switches, for GraphDefs cannot hold _SwitchN.
//
// Fails where a function is missing, or takes or gives another number of values than the node, and
// with "too-large" where the nodes take more than is left of the budget.
Result<CallBody> lowered(const Node& node, const Library& library, FreshNames& names,
                         GrowthBudget& budget, Payloads& payloads);

}  // namespace cryo
