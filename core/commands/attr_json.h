#pragma once

#include "commands/report.h"

namespace cryo {

// An AttrValue as JSON, told for reading:
//
//     s: "SAME"                 {"kind": "string", "value": "SAME"}
//     list { i: 1 i: 2 i: 1 }   {"kind": "list(int)", "value": [1, 2, 1]}
//     type: DT_FLOAT            {"kind": "type", "value": "float32"}
//     tensor { ... }            {"kind": "tensor", "value": {"dtype": "float32", "shape": [3, 3]}}
//     func { name: "f" ... }    {"kind": "func", "value": "f"}
//     placeholder: "T"          {"kind": "placeholder", "value": "T"}
//
// Of a long list the first, and "count" says how many there are. A float that is no number is a
// text, "nan".
Json attr_json(std::string_view message);

}  // namespace cryo
