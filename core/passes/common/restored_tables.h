#pragma once

#include "model/model.h"

namespace cryo {

// Converts tables that grow as they are used (MutableHashTable). They are saved with the variables,
// and filled by the saver, which no pruned or frozen graph has. They become tables that are filled
// when the model is loaded:
//
//     before  table <-- LookupTableImportV2(RestoreV2, RestoreV2:1)        save/restore_all
//     after   table <-- LookupTableImportV2(keys: Const, values: Const) <-- restored_tables: NoOp
//
// A table whose content the checkpoint does not have is not changed. `unfilled` receives an error
// for each: TensorFlow would not load the model, and without its checkpoint the table is empty.
Result<Model> with_restored_tables(const Model& model, std::vector<Diagnostic>& unfilled);

// Returns the errors of those tables that the graph has.
std::vector<Diagnostic> unfilled_tables(const std::vector<Diagnostic>& unfilled,
                                        const Graph& graph);

}  // namespace cryo
