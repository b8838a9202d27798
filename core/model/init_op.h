#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "model/model.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// The op that loaders run before the outputs, which fills the tables. TensorFlow 1 names it in a
// collection, a SavedModel in a signature of its own.

constexpr std::string_view kInitSignature = "__saved_model_init_op";

bool is_init_collection(std::string_view key);

// Returns true for a table that cannot be read before it is filled, and never changes afterwards.
bool is_fixed_table(std::string_view op);

// LookupTableImport, LookupTableImportV2: (table, keys, values)
bool imports_table(std::string_view op);

// InitializeTableV2, LookupTableImportV2, ...
bool fills_table(std::string_view op);

// Returns true if a SavedModel's loader would find the init op; the collection `table_initializer`
// is ignored.
bool names_init_op(const tensorflow::MetaGraphDef& meta);

// Returns the reason why TensorFlow's loaders refuse a SavedModel before they run its init op: it
// has variables to restore, and no checkpoint in `variables/`. nullopt if there is none, and for
// other formats.
std::optional<Diagnostic> restore_fault(const Model& model);

// Names the init op in both places, in place of the existing one; empty: removes it.
void set_init_op(tensorflow::MetaGraphDef& meta, const std::string& init);

// A new NoOp that waits for these: to run it is to run them. And the graph with it.
std::string group(const std::string& name, const std::vector<std::string>& ops);
Graph with_group(const Graph& graph, const std::string& name, const std::vector<std::string>& ops);

// The ops that a model names for this, of collections, else of the signature.
std::vector<std::string> init_ops(const tensorflow::MetaGraphDef& meta);

// Adds the init ops that a SavedModel's loader runs to the collection `table_initializer`, from
// which tf.tables_initializer() takes them: a .meta has no loader. Returns false if there are none.
bool list_init_ops(tensorflow::MetaGraphDef& meta);

// Returns true if the node waits for all of these and does nothing else.
bool runs_just(const Node& node, const std::vector<std::string>& initializers);

// Names the init op if none is named and one node of the graph fills all its tables: a bare
// GraphDef cannot name it, and a .meta lists the initializers that a program runs one by one.
void find_init_op(const Graph& graph, tensorflow::MetaGraphDef& meta);

// The model with an init op that is named; where several nodes fill its tables and none runs them
// all, with a new one.
Model with_init_op(const Model& model);

}  // namespace cryo
