#pragma once

#include "passes/pass.h"

namespace cryo {

// Gives what a signature takes and gives the signature's own names, where an output is that of a
// function call, whose name says nothing:
//
//     before  serving_default_x --> StatefulPartitionedCall --> :0
//     after   x ------------------> StatefulPartitionedCall --> output_0: Identity
//
// For the signatures that chose the outputs (log.signatures). Names are made legal and unique; the
// log says what was renamed, log.outputs become the new names, and the signature follows. A
// signature whose outputs are ordinary nodes is left alone.
Result<Model> name_by_signatures(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
