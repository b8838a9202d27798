#pragma once

#include <set>
#include <string>

#include "model/model.h"

namespace cryo {

// Puts all that a model names under a scope, as TensorFlow's import_scope does, so that it can be
// in one graph with another model:
//
//     nodes                   w                           pre/w
//     shared names            shared_name: "table_7"      shared_name: "pre/table_7"
//     frames of loops         frame_name: "while"         frame_name: "pre/while"
//     keys of the checkpoint  "w"                         "pre/w"
//
// with all that names them (renamed_nodes.h). Functions keep their names.
Model with_scope(const Model& model, const std::string& name);

// Returns the names that a model shares with others in one graph or checkpoint, other than those
// of nodes: "resource table_7", "loop while", "checkpoint key w".
std::set<std::string> shared_names(const Model& model);

}  // namespace cryo
