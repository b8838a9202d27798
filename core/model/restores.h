#pragma once

#include <map>
#include <string>

#include "graph/graph.h"
#include "wire/payloads.h"

namespace cryo {

// Where a restore op takes a variable's value from.
struct RestoredFrom {
  std::string key;
  std::string slice;  // shape_and_slices: "" for the whole tensor
};

// By the name of the variable's node.
using Restores = std::map<std::string, RestoredFrom>;

// For each variable that the saver restores: from what. Follows the restore op
// (SaverDef.restore_op_name; empty: every assignment of the graph) through control inputs to the
// assignments, those in the functions that it calls too, and each assigned value back to an output
// of RestoreV2 or of Restore.
Restores find_restores(const Graph& graph, const std::string& restore_op, const Payloads& payloads);

// What a saver fills a table with: MutableHashTable saves its keys and its values.
struct RestoredTable {
  RestoredFrom keys;
  RestoredFrom values;
};

// The same for the tables that it restores, by the name of the table's node.
std::map<std::string, RestoredTable> find_restored_tables(const Graph& graph,
                                                          const std::string& restore_op,
                                                          const Payloads& payloads);

}  // namespace cryo
