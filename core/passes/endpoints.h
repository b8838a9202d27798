#pragma once

#include <string>
#include <vector>

#include "graph/edges.h"
#include "passes/pass.h"

namespace cryo {

// The outputs that a pass goes by: those asked for, else those of the signatures asked for, of the
// only one or of `serving_default`, else the graph's best guess; the log then tells them, with the
// reason. Fails with "several-signatures" where that leaves a choice.
Result<std::vector<std::string>> chosen_outputs(const Model& model, const PassOptions& options,
                                                PassLog& log);

// The tensors at which the signatures of these keys begin, of those that the graph has.
std::vector<std::string> signature_inputs(const Model& model, const std::vector<std::string>& keys);

// The node of a name that a person gave ("logits", "logits:0", "Split:1"). Fails with names that
// look alike.
Result<Edge> find_endpoint(const Model& model, const NodeNames& names, const std::string& name);

}  // namespace cryo
