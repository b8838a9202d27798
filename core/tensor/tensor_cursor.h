#pragma once

#include <string>
#include <string_view>

#include "bytes/splice.h"
#include "bytes/splice_builder.h"
#include "wire/cursor.h"
#include "wire/payloads.h"

namespace cryo {

// Walks the fields of an elided TensorProto in order, as if its bulk were in place. (Protobuf-lite
// would give the values of a list without their order among the payloads.) Use as WireCursor.
class TensorCursor {
 public:
  // REQUIRES: both outlive the cursor, and the skeleton's handles are of `payloads`.
  TensorCursor(std::string_view skeleton, const Payloads& payloads)
      : cursor_(skeleton), payloads_(payloads) {}

  bool next();
  bool ok() const { return cursor_.ok(); }

  bool is(uint32_t number, WireType type) const;

  // Returns the value of a varint or fixed field.
  uint64_t value() const { return cursor_.field().value; }

  // Return the contents of a length-delimited field. Bulk is not in memory: it has no bytes(), only
  // a body() to read.
  bool is_bulk() const { return payload_ != nullptr; }
  uint64_t size() const;
  std::string_view bytes() const { return cursor_.field().bytes; }
  Splice body() const;
  void append_to(SpliceBuilder& out) const;

 private:
  WireCursor cursor_;
  const Payloads& payloads_;
  const Payload* payload_ = nullptr;
};

// Returns the error for a field that protobuf could not have written.
Failure malformed_tensor(std::string_view what);

}  // namespace cryo
