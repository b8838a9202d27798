#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "bytes/splice.h"
#include "wire/forward_reader.h"
#include "wire/payloads.h"

namespace cryo {

// String tensors in their three layouts:
//
//     string_val        42 02 61 62 | 42 00                        a record each
//     tensor_content    02 00 | 61 62                              lengths | bytes
//     plain (content.h) 02 00 | masked CRC of lengths | 61 62      as checkpoints have it

// Plain strings from a tensor_content. "bad-tensor" if it is not exactly `count` strings.
Result<Splice> strings_of_content(const Splice& content, uint64_t count);

// Plain strings from the string_val of an elided TensorProto: surplus ones are ignored, the last
// one repeats.
Result<Splice> strings_of_values(std::string_view skeleton, const Payloads& payloads,
                                 uint64_t count);

// The string_val records of plain strings, elided.
Result<std::string> values_of_strings(const Splice& plain, uint64_t count, Payloads& payloads);

// Iterates over plain strings, in bounded memory.
class StringCursor {
 public:
  // Reads all lengths. "bad-tensor" if it is not exactly `count` strings.
  static Result<StringCursor> open(const Splice& plain, uint64_t count);

  // Compares the next string of this cursor and of another, and advances both. Returns true if they
  // are equal. REQUIRES: both have one left.
  Result<bool> next_is_same(StringCursor& other);

 private:
  StringCursor(const Slice& plain, uint64_t bytes_begin) : lengths_(plain), bytes_(plain) {
    bytes_.skip(bytes_begin);
  }

  ForwardReader lengths_;
  ForwardReader bytes_;
};

}  // namespace cryo
