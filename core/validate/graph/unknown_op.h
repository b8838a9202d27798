#pragma once

#include "graph/node.h"
#include "validate/graph/findings.h"
#include "validate/graph/library.h"

namespace cryo {

// A node whose op is neither TensorFlow's nor a function of the graph: who registers it, where that
// is known by its name.
void check_op_known(const Node& node, const KnownOps& ops, const KnownOp& known,
                    const Reporter& reporter);

}  // namespace cryo
