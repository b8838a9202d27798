#pragma once

#include <string>

#include "bytes/splice.h"
#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// Protobuf's text format (.pbtxt) -> a skeleton, as elide() gives it.
//
//     node {                                0A 1C
//       name: "w"                              0A 01 "w"
//       attr {                                 2A 17
//         key: "value"                            0A 05 "value"
//         value { tensor {                        12 0E 42 0C
//           dtype: DT_FLOAT                          08 01
//           tensor_content: "\000\001..." }}        F8 7F 00     payload 0 = decoded while it is
//           read
//       }
//     }
//
// The text is read once, front to back. Bulk (the thresholds of elide.h) becomes payloads: a long
// string is computed from the text whenever it is read, or is the text's own bytes where it has no
// escapes; numbers are packed in memory. What remains is O(structure).
//
// Accepted is what libprotobuf's TextFormat::Parse (C++) accepts; a string field that is not UTF-8
// is an error, for libprotobuf could not read the message back. A few fields that the schema does
// not have are left out, each told in `diagnostics` (text_unknown.h).
//
// Fields stand in the order of the text, which is that of their numbers in any text that a program
// printed; neighbouring numbers of one repeated field are packed, and fields that hold their
// default and have no presence are left out, as libprotobuf would serialise the message.
//
// Errors are `bad-text`: libprotobuf's words with line and column, and the offset.
Result<std::string> read_text(const Slice& text, const MessageSchema& schema, Payloads& payloads,
                              Diagnostics& diagnostics);

}  // namespace cryo
