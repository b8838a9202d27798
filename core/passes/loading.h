#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "passes/pass.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// What a model does when it is loaded, as far as a frozen graph still needs it: tables are filled,
// and variables that no checkpoint has (paths of assets, counters) get a first value.
//
//     hash_table <-- InitializeTableV2(hash_table, keys, values) <-- init: NoOp
//     Variable <---- AssignVariableOp(Variable, asset_path) <------- init

// The ops to run at load time, of signatures and collections, each once.
std::vector<std::string> named_init_ops(const tensorflow::MetaGraphDef& meta);

// The same, and all nodes that fill a table.
std::vector<std::string> loading_roots(const Model& model);

struct Loading {
  std::vector<std::string> keep = {};             // nodes that are needed besides the outputs
  std::vector<std::string> init = {};             // of these `init_all_tables`, if there is one
  std::map<std::string, std::string> first = {};  // a variable without a value: its first value
  std::unordered_set<std::string> assigns = {};   // the nodes that give those
};

// Finds it in a graph whose calls are inlined and which still has the roots. `has_calls`: only
// those that loading needs are inlined; then every table that is filled stays, for functions may
// share it by its name. The new model has one op more, `init_all_tables`, which runs what fills the
// tables that the outputs need; it is in the collection `table_initializer` and is the SavedModel's
// own init op. Paths of assets become constants. The log says what has to be run and which files
// are needed.
Result<Model> keep_loading(const Model& model, const std::vector<std::string>& roots,
                           bool has_calls, PassLog& log, Loading& loading);

// Placeholders of assets' paths, which only loaders of objects feed, become constants, which every
// loader replaces.
Model with_asset_paths(const Model& model);

// Says which files a graph still needs beside it, and which tensors are their paths.
void tell_assets(const Model& model, PassLog& log);

}  // namespace cryo
