#pragma once

#include "base/json_writer.h"

namespace cryo {

// Adds the members of an AttrValue as JSON for people:
//
//     s: "SAME"                 {"kind": "string", "value": "SAME"}
//     list { i: 1 i: 2 i: 1 }   {"kind": "list(int)", "value": [1, 2, 1]}
//     type: DT_FLOAT            {"kind": "type", "value": "float32"}
//     tensor { ... }            {"kind": "tensor", "value": {"dtype": "float32", "shape": [3, 3]}}
//     func { name: "f" ... }    {"kind": "func", "value": "f"}
//     placeholder: "T"          {"kind": "placeholder", "value": "T"}
//
// A long list is cut, and "count" has its length. A float that is not a number is a text, "nan".
void add_attr(std::string_view message, JsonWriter& json);

}  // namespace cryo
