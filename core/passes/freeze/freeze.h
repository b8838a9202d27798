#pragma once

#include "passes/pass.h"

namespace cryo {

// Variables become constants, after pruning to the outputs. A SavedModel becomes a plain graph: its
// function calls are inlined, its ends are named as in its signature.
//
//     before  w: VariableV2 ----> w/read: Identity ---> conv
//             v: VarHandleOp ---> v/Read: ReadVariableOp ---> add
//     after   w: Const [slice] -> w/read: Identity ---> conv
//             v: Const [slice] -> v/Read: Identity ---> add
//
// A constant's value is the checkpoint's own slice: no weight is read. Nodes keep names, order,
// devices and control inputs; what hands a handle on (Identity, Enter, Switch, ...) takes the
// value's type; reference ops become their value forms; functions that are handed variables
// (While, If, Case, calls that stay) are made anew to be handed values. Tables stay, with
// `init_all_tables` to fill them. Reads that un-freezing added are taken out
// again, so freeze(unfreeze(g)) is g. Each constant has a record of the variable that it was
// (passes/common/freeze_record.h), unless `no_record` is asked for.
//
// `variables` and `keep_variables` of the options choose: what stays a variable stays loadable
// (passes/prune/kept_variables.h).
//
// A variable that is only read once it has been assigned becomes what it is assigned
// (passes/freeze/always_assigned.h).
//
// Fails, naming all of them, where variables have no value; and where the outputs need something
// that changes a variable, or uses one in a way that a constant cannot serve, naming the node and
// the path to an output.
Result<Model> freeze(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
