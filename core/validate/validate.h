#pragma once

#include "model/model.h"

namespace cryo {

struct GraphVerdict;
class OpRegistry;

// Checks a model: its graph as TensorFlow's importer does, going on to name every fault; and what
// stands beside the graph (model/check). Adds what it finds to the diagnostics; true where
// TensorFlow would import the graph. `ops` may be null: then nothing that needs the definitions of
// ops is checked, and a note says so. Changes nothing.
//
// `known`: the verdict of check_graph() on this graph, where it was checked before.
bool validate(const Model& model, const OpRegistry* ops, Diagnostics& diagnostics,
              const GraphVerdict* known = nullptr);

}  // namespace cryo
