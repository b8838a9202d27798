#pragma once

#include <string>

#include "graph/node.h"

namespace cryo {

// Returns the NodeDef with some default attributes written out. A file may omit these because they
// have TensorFlow's default, but TensorFlow.js assumes another value or none (a Conv2D without
// `dilations` ends in a TypeError). Other nodes are returned verbatim.
std::string with_tfjs_defaults(const Node& node);

}  // namespace cryo
