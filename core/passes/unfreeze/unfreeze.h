#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/conversion.h"
#include "passes/common/weight_selection.h"

namespace cryo {

struct UnfreezeOptions {
  WeightSelection weights = {};          // the constants that become variables
  std::vector<std::string> rename = {};  // "FROM=TO", of their names (base/pattern/rename.h)
  std::string style = {};        // "ref", "resource"; empty: as the original graph's, by its record
  bool resource_gather = false;  // a GatherV2 of a resource becomes a ResourceGather
  bool initial_values = false;   // the graph itself holds the values, too
};

struct UnfreezeResult {
  Model model;
  Conversions converted = {};
  Conversions candidates = {};  // possible weights that remain constants
};

// Converts constants that are weights to variables, with their values as a checkpoint.
//
//     before      w: Const ----------------------------------> conv
//     reference   w: VariableV2 -----------------------------> conv     w/read
//     resource    w: VarHandleOp --> w/Read/ReadVariableOp --> conv
//     both        w/Initializer/RestoreV2 --> w/Assign          (variable_initializers.h)
//
// A variable has its constant's name, unless `rename` gives another. An Identity that reads a
// constant becomes a resource's ReadVariableOp; if there is none, one is added and marked, so that
// freezing can remove it again. Adds initializers, which restore from the checkpoint or, with
// `initial_values` of the options, hold the values; Saver nodes with their SaverDef; and the
// collections `variables` and `trainable_variables`, for tf.train.import_meta_graph. Existing
// variables of the graph are kept, with their values, and get such initializers.
//
// If freezing left records (freeze_record.h), the frozen variables are restored: the kinds,
// collections, partitions and keys; other constants remain. Without records weights are detected
// (find_weights.h), and marked so that freezing leaves no records: freeze(unfreeze(g)) is g.
//
// No weight is read or copied: the checkpoint's content is slices of the constants. (Writing it
// reads them once, for checksums.)
//
// Weights in the bodies of functions are hoisted out of them first (hoist_weights.h).
//
// Fails as plan_variables() does (unfreeze_plan.h).
Result<UnfreezeResult> unfreeze(const Model& model, const UnfreezeOptions& options,
                                Diagnostics& diagnostics);

}  // namespace cryo
