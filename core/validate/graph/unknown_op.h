#pragma once

#include "graph/node.h"
#include "validate/graph/findings.h"
#include "validate/graph/library.h"

namespace cryo {

// Reports a node whose op is neither TensorFlow's nor a function of the graph, and the library that
// registers the op, if its name is known.
void check_op_known(const Node& node, const KnownOps& ops, const KnownOp& known,
                    const Reporter& reporter);

}  // namespace cryo
