#pragma once

#include "passes/pass.h"

namespace cryo {

// Constants that are weights become variables, their values a checkpoint.
//
//     before      w: Const ----------------------------------> conv
//     reference   w: VariableV2 -----------------------------> conv     w/read
//     resource    w: VarHandleOp --> w/Read/ReadVariableOp --> conv
//     both        w/Initializer/RestoreV2 --> w/Assign          (variable_initializers.h)
//
// A constant's name stays as its variable's, unless `rename` gives another. An Identity that reads
// a constant becomes a resource's ReadVariableOp; where none does, one is added and marked, so that
// freezing can take it out again. Adds initializers, which restore from the checkpoint or, with
// `initial_values` of the options, hold the values; Saver nodes with their SaverDef; and the
// collections `variables` and `trainable_variables`, as tf.train.import_meta_graph wants them.
// Variables that the graph has already stay, with their values, and get such initializers.
//
// Where freezing left records (freeze_record.h), what it froze comes back: the kinds, collections,
// partitions and keys; the other constants stay. What has no record is found (weights.h), and is
// marked so that freezing leaves none: freeze(unfreeze(g)) is g.
//
// No weight is read or copied: the checkpoint's content is slices of where the constants lie.
// (Writing it reads them once, for checksums.)
//
// Weights in the bodies of functions come out of them first (hoisted_weights.h).
//
// Fails as thaw() does (thawed.h).
Result<Model> unfreeze(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
