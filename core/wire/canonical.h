#pragma once

#include <string>
#include <string_view>

#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// Returns an elided message as TensorFlow's Python would serialize it again:
// SerializeToString(deterministic=True) of protobuf's upb.
//
//     stored                                       canonical
//     2A {T: float} 2A {N: 2} 12 "AddN" 0A "y"     0A "y" 12 "AddN" 2A {N: 2} 2A {T: float}
//
// - Fields are sorted by number.
// - Map entries are sorted by key in upb's order: of two keys with a common prefix the longer one
//   first, and numbers downwards. libprotobuf's order is another one.
// - Lists of numbers are packed, with the shortest varints.
// - A field that holds its default is omitted, unless its presence is significant (a member of a
//   oneof).
// - Repeated occurrences of a field are merged, as parsers merge them.
// - Unknown fields come last, verbatim.
// - Bulk is not read: a handle takes the place of its field. Bulk in several pieces stays in
//   pieces.
//
// Malformed bytes end the message.
std::string canonical(std::string_view skeleton, const MessageSchema& schema,
                      const Payloads& payloads);

}  // namespace cryo
