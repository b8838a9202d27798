#pragma once

#include <string_view>

namespace cryo {

// The family of an op, for its color: "layer", "norm", "activation", "pool", "shape", "math",
// "control", "data" or "other".
std::string_view op_family(std::string_view op);

}  // namespace cryo
