#pragma once

#include "model/model.h"

namespace cryo {

struct GraphVerdict;
class OpRegistry;

// Checks a model: its graph as TensorFlow's importer does, but reports every fault; and the rest of
// the model (validate/model/check_model.h). Adds its findings to the diagnostics. Returns true if
// TensorFlow would import the graph. `ops` may be null: then nothing that needs the definitions of
// ops is checked, and a note says so. Changes nothing.
//
// `known`: the verdict of check_graph() on this graph, if it was checked before.
bool validate(const Model& model, const OpRegistry* ops, Diagnostics& diagnostics,
              const GraphVerdict* known = nullptr);

}  // namespace cryo
