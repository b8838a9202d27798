#pragma once

#include <string_view>

namespace cryo {

// Marks a node that Cryograph added and that computes nothing new: a read of a variable, or what
// TensorFlow's Python needs around a loop. It is no output, and freezing removes it.
constexpr std::string_view kAddedAttr = "_cryograph_added";

}  // namespace cryo
