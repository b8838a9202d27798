#pragma once

#include "bytes/splice.h"
#include "wire/schema.h"

namespace cryo {

// The fit of a file's head to a message's schema: the number of fields that are known, with the
// right wire type, and of others. After other unknown fields, a NodeDef without an op counts as
// unknown, too. Nested messages count to a small depth. `ends_early`: the head was fine, but a
// length reached past the end of the file.
struct SchemaMatch {
  int known = 0;
  int unknown = 0;
  bool ends_early = false;
};

// Reads at most a few kilobytes from each of the first fields, leaping over the rest.
Result<SchemaMatch> match_schema(const Slice& message, const MessageSchema& schema);

}  // namespace cryo
