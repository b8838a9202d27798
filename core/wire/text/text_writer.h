#pragma once

#include <string_view>

#include "bytes/splice.h"
#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// A skeleton -> protobuf's text format (.pbtxt), byte for byte what libprotobuf's
// TextFormat::PrintToString (C++) prints of the message:
//
//     0A 1C 0A 01 "w" 2A 17 ...    node {
//                                    name: "w"
//                                    attr {
//                                      key: "value"
//
// Fields by ascending number; map entries by key, the last of those with equal keys; of a oneof
// the member that came last; what is given twice merged. A number of an enum without name is
// printed as the number. Unknown fields come last in their message, as `number: value` or
// `number { ... }`, which TensorFlow's parsers refuse: they are told in one warning.
//
// Bulk is printed whenever the result is read, in bounded memory; to know how long that will be it
// is read once now.
//
// `malformed-message` for what protobuf could not read; `too-large`, before any bulk is read, where
// the message would be over 2 GiB.
Result<Splice> write_text(std::string_view skeleton, const MessageSchema& schema,
                          const Payloads& payloads, Diagnostics& diagnostics);

}  // namespace cryo
