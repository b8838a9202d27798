#pragma once

#include "passes/pass.h"

namespace cryo {

// Constants that are weights become variables, their values a checkpoint.
//
//     before      w: Const ----------------------------------> conv
//     reference   w: VariableV2 -----------------------------> conv     w/read
//     resource    w: VarHandleOp --> w/Read/ReadVariableOp --> conv
//     beside both: w/Initializer/zeros --> w/Assign
//
// A constant's name stays as its variable's. An Identity that reads a constant becomes a resource's
// ReadVariableOp; where none does, one is added and marked, so that freezing can take it out again.
// Beside them: initialisers (zeros: the values are the checkpoint's), Saver nodes with their
// SaverDef, and the collections `variables` and `trainable_variables`, as
// tf.train.import_meta_graph wants them.
//
// No weight is read or copied: the checkpoint's content is slices of where the constants lie.
// (Writing it reads them once, for checksums.)
//
// Fails where no constant is a weight, or the style is neither "ref" nor "resource".
Result<Model> unfreeze(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
