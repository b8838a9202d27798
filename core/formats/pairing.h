#pragma once

#include <string>
#include <vector>

#include "formats/format.h"

namespace cryo {

// The prefix that a checkpoint's file belongs to: "model.ckpt.index" -> "model.ckpt"; empty for any
// other name. That of a part of a save that was not merged (checkpoint/unmerged.h) is the whole's.
std::string prefix_of(std::string_view name);

// Returns the checkpoint that a state file (the text file `checkpoint`) names as the latest, as a
// prefix among the given files.
Result<std::string> prefix_of_state(const OpenContext& context, const SourcePtr& state);

// The prefixes of all V2 checkpoints among the files, each once, in the files' order.
std::vector<std::string> checkpoint_prefixes(const OpenContext& context);

// Returns true if a V2 checkpoint of this prefix exists: its index, or the parts of a save that was
// not merged.
bool has_checkpoint(const OpenContext& context, const std::string& prefix);

// Gives the model the values of the checkpoint PREFIX.index. If the options request what is whole,
// a graph stays without values when no part of the checkpoint is.
Status add_checkpoint(Model& model, const OpenContext& context, const std::string& prefix);

// Returns the prefix of the checkpoint that the options name, by any of its files; empty if they
// name none.
std::string asked_checkpoint(const OpenOptions& options);

// Finds the checkpoint of a graph: the requested one, or the one of the same prefix. If the graph
// has variables, also the only one in its folder, or the one of several that the state file calls
// the latest. A missing checkpoint is not an error.
Status pair_checkpoint(Model& model, const OpenContext& context, const SourcePtr& graph_file);

// Fails if the model has only weights.
Status require_graph(const Model& model);

}  // namespace cryo
