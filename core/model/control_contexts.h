#pragma once

#include "model/model.h"

namespace cryo {

// The collections `while_context` and `cond_context`, by which TensorFlow's Python differentiates
// loops and conditionals (tensorflow/core/protobuf/control_flow.proto, control_flow_ops.py), made
// again from the graph:
//
//     while/Enter -> while/Merge -> while/Switch -> ... -> while/NextIteration
//
//     WhileContextDef { context_name: "while"  pivot_name: "while/LoopCond:0"
//                       loop_enter_names: "while/Enter:0" ...  values_def { ... } }
//
// The graph does not say whether a loop is excluded from gradients, swaps memory or has a maximum
// of iterations: that stays as the collections have it.
//
// Adds nodes that only contexts need, marked (graph/added_nodes.h): an Exit for each value that
// goes round and does not leave the loop, without which its gradient would be lost; a pivot, where
// none is left; the negation of a condition whose Merges take (true, false).
//
// Warns of loops that are no tf.while_loop ("loop-not-differentiable"). A conditional outside of
// loops that is no tf.cond gets no context: TensorFlow differentiates it without one.
Model with_control_contexts(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
