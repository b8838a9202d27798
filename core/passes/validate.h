#pragma once

#include "model/model.h"

namespace cryo {

class OpRegistry;

struct Validity {
  bool valid = true;  // TensorFlow would import the graph
  bool sound = true;  // and nothing else is wrong with it
};

// Checks a model as TensorFlow's importer does, and goes on to name every fault; adds them to the
// diagnostics. `ops` may be null: then nothing that needs the definitions of ops is checked, and a
// note says so. Changes nothing.
Validity validate(const Model& model, const OpRegistry* ops, Diagnostics& diagnostics);

}  // namespace cryo
