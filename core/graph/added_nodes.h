#pragma once

#include <string_view>

namespace cryo {

// Marks a node that Cryograph added and that computes nothing new: a read of a variable, or a node
// that TensorFlow's Python needs around a loop. It is never an output, and freezing removes it.
constexpr std::string_view kAddedAttr = "_cryograph_added";

}  // namespace cryo
