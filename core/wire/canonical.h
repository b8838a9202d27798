#pragma once

#include <string>
#include <string_view>

#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// An elided message as TensorFlow's Python would write it again: SerializeToString(deterministic=
// True) of protobuf's upb.
//
//     as it lies                                   canonical
//     2A {T: float} 2A {N: 2} 12 "AddN" 0A "y"     0A "y" 12 "AddN" 2A {N: 2} 2A {T: float}
//
// Fields stand by ascending number, a map's entries by key (of two that begin alike the longer one
// first, and numbers downwards: upb's own order, libprotobuf's is another), numbers of a list
// packed, in the shortest varints; a field that holds its default is left out, unless that says
// something (a member of a oneof); what comes twice is merged, as parsers merge it; unknown fields
// stand last, as they lie. Bulk is not read: a handle stands where its field belongs (bulk that
// comes in several pieces stays in pieces). What is malformed ends the message.
std::string canonical(std::string_view skeleton, const MessageSchema& schema,
                      const Payloads& payloads);

}  // namespace cryo
