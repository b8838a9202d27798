#pragma once

#include "model/model.h"

namespace cryo {

// Leaves out control edges that wait for nothing: from constants, and from what only hands
// constants on. Reads of variables order their neighbours; once they are constants, nothing is left
// to order.
//
//     before  w: Const --> read: Identity --> MatMul          after  w --> read --> MatMul
//                              ^--(control)-- NoOp <-- add                          add
//
// For graphs whose calls were inlined, where such edges are many.
Model without_idle_controls(const Model& model);

}  // namespace cryo
