#pragma once

#include "model/model.h"

namespace cryo {

// Removes control edges without effect: from constants, and from nodes that only pass constants on.
// Reads of variables order other nodes; once they are constants, no order is needed.
//
//     before  w: Const --> read: Identity --> MatMul          after  w --> read --> MatMul
//                              ^--(control)-- NoOp <-- add                          add
//
// For graphs whose calls were inlined, where such edges are many.
Model without_redundant_control_inputs(const Model& model);

}  // namespace cryo
