#pragma once

#include "graph/node.h"

namespace cryo {

// The purposes of ops, for passes that need them.

// Variable, VariableV2: the op's output is a reference to the variable.
bool is_ref_variable(std::string_view op);

// The shared name of a handle that shares nothing (ResourceHandle::ANONYMOUS_NAME).
constexpr std::string_view kAnonymousName =
    "cd2c89b7-88b7-44c8-ad83-"
    "06c2a9158347";

// VarHandleOp: the op's output is a handle, which ReadVariableOp and others read through.
bool is_resource_variable(std::string_view op);

inline bool is_variable(std::string_view op) {
  return is_ref_variable(op) || is_resource_variable(op);
}

// Returns true if the op passes its input 0 on unchanged: Identity, Enter, Switch, ... and their
// reference forms. Merge passes on any of its inputs.
bool is_pass_through(std::string_view op);

// Switch, RefSwitch; Merge, RefMerge.
bool is_switch(std::string_view op);
bool is_merge(std::string_view op);

// Returns true for Placeholder and similar ops, which are fed from outside.
bool is_placeholder(std::string_view op);

// Returns true for the ops that give a variable a whole new value: Assign, AssignVariableOp.
bool is_assignment(std::string_view op);

// Changes a variable: assignments, scatters into variables, optimizers' steps.
bool is_update(std::string_view op);

// An update that is an optimizer's step: ApplyAdam, ResourceSparseApplyFtrl.
bool is_training_step(std::string_view op);

// Saves or restores variables.
bool is_saver_op(std::string_view op);

// Returns true if the op's result is not used: updates, savers, summaries, queues, assertions.
bool is_side_effect(std::string_view op);

// Gives no tensor that a person could fetch: an op without outputs (MakeIterator, ControlTrigger),
// or one whose output is a handle: of a data set, an iterator, a queue, a reader, a table, an
// array.
bool gives_no_value(std::string_view op);

// Draws random numbers: RandomUniform, StatelessRandomNormalV2, Multinomial.
bool is_random(std::string_view op);

// Gives a truth value: a comparison, a test, a logical operation.
bool is_test(std::string_view op);

// Reads the next element of an input pipeline: IteratorGetNext, QueueDequeue*, ReaderRead.
bool is_pipeline_read(std::string_view op);

// Makes tensors of stored bytes: ParseExample, DecodeJpeg.
bool is_decoder(std::string_view op);

// Calls a Python function, which no other process has: PyFunc, EagerPyFunc.
bool calls_python(std::string_view op);

// Computes with weights in nearly every network: a matrix product, a convolution, a bias.
bool is_layer(std::string_view op);

// Part of a training step's backward half, by its scope: "gradients/...", "gradients_1/...".
bool in_gradients(std::string_view name);

}  // namespace cryo
