#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/node.h"
#include "tensor/shape.h"

namespace cryo {

// The ops that TensorFlow's freeze_graph follows into the functions they call: which input is the
// first argument, which attribute has the types of the arguments, which name the functions.
struct SessionCaller {
  std::string_view op;
  uint32_t first_arg;
  std::string_view types;
  std::string_view functions[2];
};

// nullptr for all other ops.
const SessionCaller* find_session_caller(std::string_view op);

// The functions that an attribute names, func or list(func), in its order.
std::vector<std::string> functions_in(const Node& node, std::string_view attr);

// An AttrValue of kind func or list(func) with new names in it: not canonical, for a name is put
// behind the old one.
std::string renamed_functions(const std::string& value,
                              const std::map<std::string, std::string>& names);

// A list(shape) with another shape at one place; nothing if the list is empty.
std::optional<std::string> with_shape(const std::string& value, uint32_t place, const Shape& shape);

}  // namespace cryo
