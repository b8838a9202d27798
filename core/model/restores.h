#pragma once

#include <map>
#include <string>

#include "graph/graph.h"
#include "wire/payloads.h"

namespace cryo {

// The source of a restored value.
struct RestoredFrom {
  std::string key;
  std::string slice;  // shape_and_slices: "" for the whole tensor
};

// Sources by the name of the variable's node.
using Restores = std::map<std::string, RestoredFrom>;

// Returns the source of each variable that the saver restores. Follows the restore op
// (SaverDef.restore_op_name; empty: every assignment of the graph) through control inputs to the
// assignments, including those in functions that it calls, and each assigned value back to an
// output of RestoreV2 or Restore.
Restores find_restores(const Graph& graph, const std::string& restore_op, const Payloads& payloads);

// The tensors from which a saver fills a table: MutableHashTable saves its keys and its values.
struct RestoredTable {
  RestoredFrom keys;
  RestoredFrom values;
};

// The same for the tables that it restores, by the name of the table's node.
std::map<std::string, RestoredTable> find_restored_tables(const Graph& graph,
                                                          const std::string& restore_op,
                                                          const Payloads& payloads);

}  // namespace cryo
