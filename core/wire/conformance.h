#pragma once

#include "bytes/splice.h"
#include "wire/schema.h"

namespace cryo {

// How well the head of a file fits a message's schema: how many of the fields met are known, with
// the right wire type, and how many are not; behind others that are not, a NodeDef without an op is
// one, too. Nested messages count to a small depth. `ends_early`: the head was fine, but a length
// reached past the end of the file.
struct Conformance {
  int known = 0;
  int unknown = 0;
  bool ends_early = false;
};

// Reads at most a few kilobytes from each of the first fields, leaping over the rest.
Result<Conformance> conformance(const Slice& message, const MessageSchema& schema);

}  // namespace cryo
