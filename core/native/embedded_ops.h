#pragma once

#include <string_view>

namespace cryo {

// core/graph/ops.bin, carried inside the native program: what OpRegistry::parse takes.
// (WebAssembly's hosts load the file.)
std::string_view embedded_ops();

}  // namespace cryo
