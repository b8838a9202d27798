#pragma once

#include "model/model.h"

namespace cryo {

// Makes what stands beside the graph agree with it, after nodes went: leaves out signatures with an
// output that is gone, inputs of signatures, variables, assets and node lists that name a node that
// is gone, and the saver if any of its three nodes is. `cut`: the graph begins elsewhere than it
// did, so a signature with an input that is gone goes as a whole. Collections whose content only
// TensorFlow's Python can read (loop contexts, queue runners) go when anything went, and the log
// says so.
void trim_meta(Model& model, bool cut, Diagnostics& diagnostics);

}  // namespace cryo
