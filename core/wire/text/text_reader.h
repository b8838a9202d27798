#pragma once

#include <string>

#include "bytes/splice.h"
#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// Parses protobuf's text format (.pbtxt) into a skeleton, as elide() returns it.
//
//     node {                                0A 1C
//       name: "w"                              0A 01 "w"
//       attr {                                 2A 17
//         key: "value"                            0A 05 "value"
//         value { tensor {                        12 0E 42 0C
//           dtype: DT_FLOAT                          08 01
//           tensor_content: "\000\001..." }}        F8 7F 00   payload 0: decoded when read
//       }
//     }
//
// The text is read once, front to back. Bulk (the thresholds of elide.h) becomes payloads. A long
// string is computed from the text whenever it is read, or is a slice of the text if it has no
// escapes; numbers are packed in memory. The rest takes memory proportional to the structure.
//
// Accepts the texts that libprotobuf's TextFormat::Parse (C++) accepts. A string field that is not
// UTF-8 is an error, for libprotobuf could not read the message back. A few fields that the schema
// does not have are skipped; each is reported in `diagnostics` (text_unknown.h).
//
// Fields keep the order of the text, which is by number in any text that a program printed.
// Adjacent numbers of one repeated field are packed. Fields that hold their default and have no
// presence are omitted, as libprotobuf would serialize the message.
//
// Fails with "bad-text": libprotobuf's words with line, column and offset.
Result<std::string> read_text(const Slice& text, const MessageSchema& schema, Payloads& payloads,
                              Diagnostics& diagnostics);

}  // namespace cryo
