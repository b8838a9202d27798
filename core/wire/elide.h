#pragma once

#include <string>
#include <string_view>

#include "bytes/splice.h"
#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// Elision: a message without its bulk.
//
//     before  0A 8C 80 40 [ 0A 01 "w"  12 05 "Const" .. [ 08 01 12 .. 22 80 80 40 <1 MB> ] ]
//     after   0A 9C 80 00 [ 0A 01 "w"  12 05 "Const" .. [ 08 01 12 .. F8 7F 00           ] ]
//                                                  payload 0 = the slice of the file ^
//
// The message is walked once by its schema, reading only the rest. The rest is small (O(structure))
// and is an ordinary message that protobuf-lite parses. The lengths of enclosing messages keep
// their width, so that expand() can restore the same bytes, overlong lengths included.
//
// Law: expand(elide(x)) == x, byte for byte, for every x that elide accepts. It refuses the same as
// protobuf: truncated messages, lengths past their parent, field number 0, nesting over 100.

// Bulk is a length-delimited field that is not a known message or string and is longer than its
// threshold: the smaller one for the values of a TensorProto, the larger one elsewhere.
constexpr uint64_t kBulkTensorBytes = 256;
constexpr uint64_t kBulkBytes = uint64_t{64} * 1024;

// `message` is read in windows; `payloads` receives the bulk.
Result<std::string> elide(const Slice& message, const MessageSchema& schema, Payloads& payloads);

// Fails with "too-large" if the message with its bulk back in place would be over 2 GiB, the most
// that protobuf reads.
Status check_expanded_size(std::string_view skeleton, const MessageSchema& schema,
                           const Payloads& payloads);

// Returns the message with its bulk back in place: fresh bytes and slices of the sources. The
// skeleton may have been changed; lengths are recomputed. Fails with "too-large" as above.
Result<Splice> expand(std::string skeleton, const MessageSchema& schema, const Payloads& payloads);

}  // namespace cryo
