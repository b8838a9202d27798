#pragma once

#include <string_view>

namespace cryo {

// Calls that are named after their op say nothing: "StatefulPartitionedCall_2".

// Returns true for a part of a name that is the op of a call, with a number or without.
bool is_name_of_call(std::string_view part);

// Returns the name without the calls that it begins with.
std::string_view without_calls(std::string_view name);

// Returns the function's name as a person wrote it:
// "__inference_dense_layer_call_fn_12": "dense".
std::string_view function_title(std::string_view function);

}  // namespace cryo
