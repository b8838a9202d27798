#pragma once

#include "model/model.h"

namespace cryo {

// Pairs a graph with a checkpoint that was not saved with it, e.g. a structure-only GraphDef. A
// variable takes the value of its own name (variables.h). If there is none, it takes that of the
// only object which had the variable's name when TensorFlow 2 saved it, if type and shape agree.
//
//     graph                 checkpoint                                     reported
//     w                     w                                              --
//     dense/kernel          model/d/kernel/.ATTRIBUTES/..., full name      --
//                           "dense/kernel"
//     tower/conv/w          conv/w                                         both, as near each other
//     global_step           --                                             the variable
//     --                    conv/w/Adam                                    the key
//
// Unmatched variables and tensors are reported. For a graph with a saver only variables whose keys
// the checkpoint lacks are. If names do not match, reads the object graph of the checkpoint, and no
// weights.
void pair_by_names(Model& model, Diagnostics& diagnostics);

}  // namespace cryo
