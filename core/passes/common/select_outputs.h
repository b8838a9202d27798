#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "graph/edges.h"
#include "model/model.h"
#include "passes/common/selection.h"

namespace cryo {

// Returns a selection whose outputs are chosen: the requested ones, else those of the requested
// signatures, of the only one or of `serving_default`, else the likely ones
// (model/analysis/likely_outputs.h). `signatures` are the keys of the signatures that selected
// them; none if no signature did. Reports the reason of each output that was not
// requested. Fails with "several-signatures" if that leaves a choice.
Result<Selection> with_chosen_outputs(const Model& model, const Selection& requested,
                                      Diagnostics& diagnostics);

// Replaces outputs and inputs that are no nodes, but outputs and arguments of a signature, by its
// tensors: of the requested signatures, else of the one that is taken by default, else of any that
// has the name. Fails with "several-signatures" if those mean several tensors.
Result<Selection> with_signature_keys(const Model& model, const Selection& requested);

// Chooses outputs that no signature names before values are set: nodes that only a removed branch
// consumed are no outputs. Returns the selection itself if it has outputs.
Result<Selection> with_outputs_before_set(const Model& model, const Selection& requested,
                                          Diagnostics& diagnostics);

// The input "auto": the tensors at which the data of input pipelines enters.
constexpr std::string_view kAutoInputs = "auto";

// Replaces "auto" among the inputs by the heads of the pipelines that the outputs need, and by the
// inputs of the signatures that name the outputs.
Result<Selection> with_auto_inputs(const Model& model, const Selection& requested,
                                   Diagnostics& diagnostics);

// Warns if the outputs of a result still need an input pipeline.
void warn_of_pipelines(const Model& made, const std::vector<std::string>& outputs,
                       Diagnostics& diagnostics);

// Returns the input tensors of the signatures with these keys, of those that the graph has.
std::vector<std::string> signature_inputs(const Model& model, const std::vector<std::string>& keys);

// Finds the node of a name that a person gave ("logits", "logits:0", "Split:1"). Fails with similar
// names.
Result<Edge> find_endpoint(const Model& model, const NodeNames& names, const std::string& name);

}  // namespace cryo
