#pragma once

#include <string>
#include <string_view>

#include "graph/node_attrs.h"

namespace cryo {

// An attribute of a function's body as it is for one call: the AttrValue with what its placeholders
// stand for, those in the attributes of functions that it names included.
//
//     T: placeholder "T"                 T: float
//     f: dense[T: placeholder "T"]  -->  f: dense[T: float]
std::string bound_value(std::string_view value, const AttrScope& scope);

}  // namespace cryo
