#pragma once

#include <string>

#include "graph/node.h"

namespace cryo {

// The NodeDef with those attributes spelled out that a file may leave out because they have
// TensorFlow's default, and for which TensorFlow.js takes another value, or none (a Conv2D without
// `dilations` ends in a TypeError). Other nodes as they lie.
std::string with_tfjs_defaults(const Node& node);

}  // namespace cryo
