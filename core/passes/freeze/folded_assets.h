#pragma once

#include "passes/pass.h"

namespace cryo {

// Tables that are filled from text files of a SavedModel (its assets) become tables that are filled
// from constants, so that one file holds all:
//
//     before  table, path: Const["assets/words.txt"] --> InitializeTableFromTextFileV2
//     after   table, keys: Const, values: Const -------> InitializeTableV2
//
// A line gives a key and a value by the node's own attributes, read as TensorFlow reads it
// (core/kernels/lookup_util.cc). Files that other ops read stay files.
//
// Fails where the file is missing, has more than 2 GiB in it, or does not hold what the node wants,
// naming the line.
Result<Model> fold_assets(const Model& model, PassLog& log);

}  // namespace cryo
