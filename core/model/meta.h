#pragma once

#include "model/model.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// Everything of the model's MetaGraphDef but its graph: signatures, collections, saver, versions.
// Empty for a bare GraphDef. Parsed once. REQUIRES: a copy of the model's `meta` outlives it.
const tensorflow::MetaGraphDef& parse_meta(const Model& model);
const tensorflow::MetaGraphDef& parse_meta(Model&& model) = delete;

// Puts a changed one back.
void set_meta(Model& model, tensorflow::MetaGraphDef meta);

// The VariableDefs of a collection ("variables", "trainable_variables").
std::vector<tensorflow::VariableDef> variable_defs(const tensorflow::MetaGraphDef& meta,
                                                   std::string_view collection);

// The nodes of the variables that such a collection lists, in its order: views of `meta`. Reads
// nothing else of the VariableDefs.
std::vector<std::string_view> variables_in(const tensorflow::MetaGraphDef& meta,
                                           std::string_view collection);

// The assets of a SavedModel, also from where TensorFlow 1 keeps them (a collection).
std::vector<tensorflow::AssetFileDef> assets_of(const tensorflow::MetaGraphDef& meta);

// The SavedModel's objects, a SavedObjectGraph message (object_graph.h); empty where it has none.
std::string_view object_graph_of(const Model& model);

void set_object_graph(Model& model, std::string_view saved_object_graph);

// Removes the SavedModel's objects from a graph that does not have their variables and functions.
void drop_object_graph(Model& model);

// Signatures that name an op to run when the model is loaded or trained, and no function of it.
bool is_reserved_signature(std::string_view key);

// The collections that hold VariableDefs.
bool is_variable_collection(std::string_view key);

}  // namespace cryo
