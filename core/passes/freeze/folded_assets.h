#pragma once

#include "base/diagnostic.h"
#include "model/model.h"

namespace cryo {

// Converts tables that are filled from text files of a SavedModel (its assets) to tables that are
// filled from constants, so that one file has everything:
//
//     before  table, path: Const["assets/words.txt"] --> InitializeTableFromTextFileV2
//     after   table, keys: Const, values: Const -------> InitializeTableV2
//
// The node's own attributes determine the key and the value in a line, read as TensorFlow reads
// them (core/kernels/lookup_util.cc). Files that other ops read remain files.
//
// Fails if the file is missing, is larger than 2 GiB, or does not have the values that the node
// reads; the error names the line.
Result<Model> fold_assets(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
