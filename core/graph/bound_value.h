#pragma once

#include <string>
#include <string_view>

#include "graph/node_attrs.h"

namespace cryo {

// Returns an attribute of a function's body for one call: the AttrValue with its placeholders
// replaced, including those in the attributes of functions that it names.
//
//     T: placeholder "T"                 T: float
//     f: dense[T: placeholder "T"]  -->  f: dense[T: float]
std::string bound_value(std::string_view value, const AttrScope& scope);

}  // namespace cryo
