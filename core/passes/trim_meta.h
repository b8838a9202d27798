#pragma once

#include "model/model.h"

namespace cryo {

// Makes what stands beside the graph agree with it, after nodes went: leaves out signatures,
// variables and node lists that name a node that is gone, and the saver if any of its three nodes
// is. Collections whose content only TensorFlow's Python can read (loop contexts, queue runners) go
// when anything went, and the log says so.
void trim_meta(Model& model, Diagnostics& diagnostics);

}  // namespace cryo
