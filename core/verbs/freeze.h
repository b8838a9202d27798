#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/selection.h"
#include "passes/inline/inline.h"
#include "passes/optimize/optimize.h"
#include "passes/prune/cleanup.h"
#include "passes/prune/kept_variables.h"
#include "verbs/graph_result.h"

namespace cryo {

class OpRegistry;

struct FreezeOptions {
  Selection selection = {};
  std::vector<std::string> set = {};     // "NAME=VALUE" (passes/set/set_values.h)
  VariableSelection variables = {};      // the frozen ones
  std::vector<std::string> rename = {};  // "FROM=TO", of checkpoint keys (renamed_keys.h)
  bool inference = false;                // ready to serve (passes/inference/inference.h)
  bool ema = false;                      // moving averages instead of weights
  bool no_inline = false;                // calls of functions stay calls
  bool lower_control_flow = false;       // While, If, Case become plain nodes
  bool fold_assets = false;              // tables are filled from constants, not from files
  bool no_record = false;                // constants have no record of their variables
  Cleanup cleanup = {};
  Optimization optimization = {};
  std::string for_release = {};  // "tensorflow-1.15" (for_release.h)
  bool like_tensorflow = false;  // as freeze_graph does (passes/tf_compat/like_tensorflow.h)
};

// The definitions of ops that a host has loaded.
struct OpData {
  const OpRegistry* ops = nullptr;  // null: what needs them is not done
  std::string_view histories = {};  // core/data/op_histories.bin; empty: not loaded
};

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
// The variables that remain can still be restored (passes/prune/kept_variables.h).
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
Result<GraphResult> freeze(const Model& model, const FreezeOptions& options, const OpData& data,
                           Diagnostics& diagnostics);

}  // namespace cryo
