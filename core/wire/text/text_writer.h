#pragma once

#include <string_view>

#include "bytes/splice.h"
#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// Writes a skeleton as protobuf's text format (.pbtxt), byte for byte as libprotobuf's
// TextFormat::PrintToString (C++) prints the message:
//
//     0A 1C 0A 01 "w" 2A 17 ...    node {
//                                    name: "w"
//                                    attr {
//                                      key: "value"
//
// Fields are sorted by number. Map entries are sorted by key; the last of equal keys counts. The
// last member of a oneof counts. Repeated values of one field are merged. A number without a name
// in its enum is printed as the number. Unknown fields come last in their message, as `number:
// value` or `number { ... }`. TensorFlow's parsers refuse them: one warning reports them.
//
// Bulk is printed whenever the result is read, in bounded memory; it is read once now to measure
// the text.
//
// Fails with "malformed-message" if protobuf could not read the message; with "too-large", before
// any bulk is read, if the message would be over 2 GiB; with "not-utf8" for a string that parsers
// of text refuse.
Result<Splice> write_text(std::string_view skeleton, const MessageSchema& schema,
                          const Payloads& payloads, Diagnostics& diagnostics);

}  // namespace cryo
