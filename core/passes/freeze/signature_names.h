#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/selection.h"

namespace cryo {

class OpRegistry;

// Gives the inputs and outputs of a signature the signature's own names, if an output is that of a
// function call, whose name is meaningless:
//
//     before  serving_default_x --> StatefulPartitionedCall --> :0
//     after   x ------------------> StatefulPartitionedCall --> output_0: Identity
//
// Applies to the signatures that selected the outputs (`selection.signatures`). Names are made
// legal and unique. Renamed nodes are reported, and the signature is updated. A signature whose
// outputs are ordinary nodes is unchanged.
struct NamedModel {
  Model model;
  std::vector<std::string> outputs;  // `selection.outputs` by their new names
};
NamedModel name_by_signatures(const Model& model, const Selection& selection, const OpRegistry* ops,
                              Diagnostics& diagnostics);

}  // namespace cryo
