#pragma once

#include <string_view>

namespace cryo {

// Returns core/data/ops.bin, embedded in the native program, for OpRegistry::parse. (WebAssembly's
// hosts load the file.)
std::string_view embedded_ops();

}  // namespace cryo
