#pragma once

#include "passes/pass.h"

namespace cryo {

// Converts variables to constants, after pruning to the outputs. A SavedModel becomes a plain
// graph: its function calls are inlined, its ends are named as in its signature.
//
//     before  w: VariableV2 ----> w/read: Identity ---> conv
//             v: VarHandleOp ---> v/Read: ReadVariableOp ---> add
//     after   w: Const [slice] -> w/read: Identity ---> conv
//             v: Const [slice] -> v/Read: Identity ---> add
//
// A constant's value is the checkpoint's own slice: no weight is read. Nodes keep names, order,
// devices and control inputs. Nodes that pass a handle on (Identity, Enter, Switch, ...) take the
// value's type; reference ops become their value forms. Functions with variables as arguments (of
// While, If, Case, remaining calls) are rebuilt to take values. Tables are kept, with
// `init_all_tables` to fill them. Reads that un-freezing added are removed again, so
// freeze(unfreeze(g)) is g. Each constant has a record of the variable that it was
// (passes/common/freeze_record.h), unless `no_record` is set.
//
// `variables` and `keep_variables` of the options select variables; the ones that remain can still
// be restored (passes/prune/kept_variables.h).
//
// A variable that is only read after an assignment is replaced by the assigned value
// (passes/freeze/always_assigned.h).
//
// With `for_release`, nodes get the forms that the release has (passes/freeze/for_release.h), and
// functional control flow that it does not have is lowered.
//
// Fails if variables have no value, naming all of them. Fails if the outputs need a node that
// changes a variable, or that uses one in a way that a constant does not allow, naming the node and
// the path to an output.
Result<Model> freeze(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
