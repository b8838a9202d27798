#pragma once

#include "model/model.h"

namespace cryo {

// Pairs a graph with a checkpoint that was not saved with it: a structure-only GraphDef, say. A
// variable takes the value of its own name (variables.h); where there is none, of the object that
// was called so when TensorFlow 2 saved it, if it is the only one, of the variable's type and
// shape.
//
//     graph                 checkpoint                                     told
//     w                     w                                              --
//     dense/kernel          model/d/kernel/.ATTRIBUTES/..., full name      --
//                           "dense/kernel"
//     tower/conv/w          conv/w                                         both, as near each other
//     global_step           --                                             the variable
//     --                    conv/w/Adam                                    the key
//
// What does not match is told, on both sides; of a graph with a saver, only where the checkpoint
// lacks what the saver asks for. Where names go nowhere, reads the object graph out of the
// checkpoint; no weight.
void pair_by_names(Model& model, Diagnostics& diagnostics);

}  // namespace cryo
