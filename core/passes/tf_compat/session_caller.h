#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/functions/function_callers.h"
#include "graph/node.h"
#include "tensor/shape.h"

namespace cryo {

// The callers that TensorFlow's freeze_graph follows into their functions: all but StatelessCase.
// nullptr for other ops.
const FunctionCaller* find_session_caller(std::string_view op);

// The attributes that name the functions, in the order in which freeze_graph follows them: a loop's
// body before its condition.
std::vector<std::string_view> session_functions(const FunctionCaller& caller);

// The functions that an attribute names, func or list(func), in its order.
std::vector<std::string> functions_in(const Node& node, std::string_view attr);

// An AttrValue of kind func or list(func) with new names in it: not canonical, for a name is put
// behind the old one.
std::string renamed_functions(const std::string& value,
                              const std::map<std::string, std::string>& names);

// A list(shape) with another shape at one place; nothing if the list is empty.
std::optional<std::string> with_shape(const std::string& value, uint32_t place, const Shape& shape);

}  // namespace cryo
