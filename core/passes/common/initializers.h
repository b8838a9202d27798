#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"
#include "model/variables.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// The initializers of a model that a frozen graph still needs: tables are filled, and variables
// that no checkpoint has (paths of assets, counters) get a first value.
//
//     hash_table <-- InitializeTableV2(hash_table, keys, values) <-- init: NoOp
//     Variable <---- AssignVariableOp(Variable, asset_path) <------- init

// The ops to run at load time, of signatures and collections, each once.
std::vector<std::string> named_init_ops(const tensorflow::MetaGraphDef& meta);

// The same, and all nodes that fill a table.
std::vector<std::string> initializer_roots(const Model& model);

struct Initializers {
  // Nodes that are needed in addition to the outputs.
  std::vector<std::string> keep = {};
  std::vector<std::string> init = {};             // `init_all_tables`, if there is one
  std::map<std::string, std::string> first = {};  // a variable without a value: its first value
  std::unordered_set<std::string> assigns = {};   // the nodes that give those

  // Variables of `first` that the SavedModel's init op assigns.
  std::unordered_set<std::string> by_init_op = {};

  // Variables that the saver restores and the init op then assigns: the value that it assigns.
  std::map<std::string, std::string> overwritten = {};
};

// Returns whether TensorFlow runs the model's init op: a SavedModel's loader does, once the
// variables are restored. Nothing runs it for another format.
bool runs_init_op(const Model& model);

// Finds the initializers in a graph whose calls are inlined and which still has the roots.
// `has_calls`: only calls that initializers need are inlined; then every table that is filled is
// kept, because functions may share it by its name.
//
// The new model has one more op, `init_all_tables`, which runs the initializers of tables that the
// outputs need. It is in the collection `table_initializer` and is the SavedModel's own init op.
// Paths of assets become constants. Reports what has to be run and which files are needed.
// `runs_init`: true if TensorFlow runs the init op of the opened model; only then are there first
// values.
Model keep_initializers(const Model& model, const std::vector<std::string>& outputs,
                        const std::vector<std::string>& roots, bool has_calls, bool runs_init,
                        Diagnostics& diagnostics, Initializers& initializers);

// Reports the init op's effect on a variable: a note if it gives the only value, a warning if it
// runs after restoring.
void report_init_op(const Variable& variable, bool stays, const Initializers& initializers,
                    Diagnostics& diagnostics);

// Reports the files that a graph still needs, and the tensors with their paths.
void report_assets(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
