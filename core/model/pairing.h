#pragma once

#include <string>
#include <vector>

#include "model/format.h"

namespace cryo {

// The prefix that a checkpoint's file belongs to: "model.ckpt.index" -> "model.ckpt"; empty for any
// other name.
std::string prefix_of(std::string_view name);

// The checkpoint that a state file (the text file `checkpoint`) calls the latest, as a prefix among
// the files at hand.
Result<std::string> prefix_of_state(const Opening& opening, const SourcePtr& state);

// Gives the model the values of the checkpoint PREFIX.index.
Status add_checkpoint(Model& model, const Opening& opening, const std::string& prefix);

// Finds the checkpoint of a graph: the one asked for, that of the same prefix, or the only one
// there is, where the graph has variables. No checkpoint is no error.
Status pair_checkpoint(Model& model, const Opening& opening, const SourcePtr& graph_file);

// Fails where the model is weights alone.
Status require_graph(const Model& model);

}  // namespace cryo
