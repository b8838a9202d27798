#pragma once

#include <string_view>

namespace cryo {

// Return core/data/op_histories.bin and core/data/runtime_ops.json, embedded in the native
// program, for run_compat().
std::string_view embedded_histories();
std::string_view embedded_runtimes();

}  // namespace cryo
