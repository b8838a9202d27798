#include "tensor/strings.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "bytes/joined_source.h"
#include "tensor/tensor_cursor.h"
#include "tensor/views/repeated_source.h"
#include "wire/elide.h"
#include "wire/fields.h"
#include "wire/forward_reader.h"

namespace cryo {
namespace {

constexpr uint64_t kChecksumSize = 4;

// So many bytes of a long string are compared at once.
constexpr uint64_t kComparedStep = uint64_t{64} * 1024;

// So that no sum of three sizes overflows.
constexpr uint64_t kMaxSize = uint64_t{1} << 61;

Failure bad_strings(const ForwardReader& window, std::string_view message) {
  return failure(
      "bad-tensor", message,
      {.file = window.slice().source->name(), .offset = window.slice().offset + window.position()},
      "the file is damaged: get it again from its source");
}

// Returns a length as it enters the checksum: 4 bytes, 8 if it needs them.
std::string fixed_length(uint64_t length) {
  std::string bytes;
  if (length <= std::numeric_limits<uint32_t>::max()) {
    put_fixed32(bytes, static_cast<uint32_t>(length));
  } else {
    put_fixed64(bytes, length);
  }
  return bytes;
}

Status take_length(ForwardReader& window, uint64_t& length) {
  std::string_view ahead = window.peek(kMaxVarint64);
  const size_t available = ahead.size();
  if (!take_varint(ahead, length)) {
    if (!window.ok()) return window.error();
    return bad_strings(window, "expected the length of a string");
  }
  window.skip(available - ahead.size());
  return Unit{};
}

struct Lengths {
  uint64_t sum = 0;
  uint32_t crc = 0;
};

// Takes `count` lengths off the window; their sum is at most the number of bytes after them.
Result<Lengths> take_lengths(ForwardReader& window, uint64_t count) {
  Lengths lengths;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t length = 0;
    CHECK_OK(take_length(window, length));
    if (length > window.left() || lengths.sum > window.left() - length) {
      return bad_strings(window, cat("string ", i, " of ", count, " has ", plural(length, "byte"),
                                     ", more than there are"));
    }
    lengths.sum += length;
    lengths.crc = crc32c_extend(lengths.crc, fixed_length(length));
  }
  return lengths;
}

Status expect_rest(const ForwardReader& window, uint64_t size) {
  if (window.left() == size) return Unit{};
  return bad_strings(
      window, cat("expected strings of ", plural(size, "byte"), " in all; found ", window.left()));
}

std::string checksum_bytes(uint32_t crc) {
  std::string bytes;
  put_fixed32(bytes, mask_crc(crc));
  return bytes;
}

// Extends a CRC-32C by `block`, repeated so many times.
uint32_t extend_repeated(uint32_t crc, std::string_view block, uint64_t times) {
  uint32_t block_crc = crc32c(block);
  uint64_t size = block.size();
  for (; times > 0; times >>= 1) {
    if ((times & 1) != 0) crc = crc32c_combine(crc, block_crc, size);
    block_crc = crc32c_combine(block_crc, block_crc, size);
    size *= 2;
  }
  return crc;
}

// Returns the offset of the first string's bytes, after the lengths. An empty list of strings may
// have no bytes at all.
Result<uint64_t> begin_of_bytes(const Slice& plain, uint64_t count) {
  ForwardReader scan(plain);
  TRY(all, take_lengths(scan, count));
  if (count == 0 && scan.left() == 0) return scan.position();
  if (scan.left() < kChecksumSize) return bad_strings(scan, "expected the checksum of lengths");
  scan.skip(kChecksumSize);
  CHECK_OK(expect_rest(scan, all.sum));
  return scan.position();
}

// The string_val of a tensor, written so far.
struct Values {
  std::string lengths = {};
  SpliceBuilder bytes = {};
  uint32_t crc = 0;
  uint64_t count = 0;
  uint64_t last_length = 0;

  void add(const TensorCursor& field) {
    last_length = field.size();
    put_varint(lengths, last_length);
    crc = crc32c_extend(crc, fixed_length(last_length));
    field.append_to(bytes);
    ++count;
  }
};

// Plain strings of `values` with the last one `more` times over.
Result<Splice> repeat_last(Values values, uint64_t more) {
  std::string length;
  put_varint(length, values.last_length);
  if (more > kMaxSize / std::max<uint64_t>(values.last_length, length.size())) {
    return failure("bad-tensor", cat("the tensor repeats a string of ",
                                     plural(values.last_length, "byte"), " ", more, " times"));
  }
  const uint32_t crc = extend_repeated(values.crc, fixed_length(values.last_length), more);
  const Splice bytes = values.bytes.finish();
  const Splice last = bytes.sub(bytes.size() - values.last_length, values.last_length);
  SpliceBuilder out;
  out.bytes() = std::move(values.lengths);
  out.add(Splice(repeated(fresh(std::move(length)), more)));
  out.bytes() += checksum_bytes(crc);
  out.add(bytes);
  if (more > 0 && last.size() > 0) out.add(Splice(repeated(as_slice(last), more)));
  return out.finish();
}

}  // namespace

Result<Splice> strings_of_content(const Splice& content, uint64_t count) {
  ForwardReader window(as_slice(content));
  TRY(lengths, take_lengths(window, count));
  CHECK_OK(expect_rest(window, lengths.sum));
  Splice plain = content.sub(0, window.position());
  plain.append(fresh(checksum_bytes(lengths.crc)));
  plain.append(content.sub(window.position(), window.left()));
  return plain;
}

Result<Splice> strings_of_values(std::string_view skeleton, const Payloads& payloads,
                                 uint64_t count) {
  Values values;
  TensorCursor cursor(skeleton, payloads);
  while (cursor.next()) {
    if (values.count < count && cursor.is(fields::TensorProto::kStringVal, WireType::kBytes))
      values.add(cursor);
  }
  if (!cursor.ok()) return malformed_tensor("a field is cut short");
  const uint64_t more = count - values.count;
  return repeat_last(std::move(values), more);
}

Result<std::string> values_of_strings(const Splice& plain, uint64_t count, Payloads& payloads) {
  if (count == 0) return std::string();
  if (plain.size() > kMaxMessageBytes) {
    return failure("too-large", cat("strings of ", human_bytes(plain.size()),
                                    " do not fit in a graph: protobuf reads at most 2 GiB"));
  }
  const Slice slice = as_slice(plain);
  TRY(begin, begin_of_bytes(slice, count));
  std::string records;
  ForwardReader lengths(slice);
  ForwardReader bytes(slice);
  bytes.skip(begin);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t length = 0;
    CHECK_OK(take_length(lengths, length));
    if (length > kBulkTensorBytes) {
      const Splice body = plain.sub(bytes.position(), length);
      put_varint_field(records, kPayloadField,
                       payloads.add(make_payload(fields::TensorProto::kStringVal, body)));
    } else {
      const std::string_view ahead = bytes.peek(length);
      if (!bytes.ok()) return bytes.error();
      put_bytes_field(records, fields::TensorProto::kStringVal,
                      ahead.substr(0, static_cast<size_t>(length)));
    }
    bytes.skip(length);
  }
  return records;
}

Result<StringCursor> StringCursor::open(const Splice& plain, uint64_t count) {
  const Slice slice = plain.size() == 0 ? fresh("") : as_slice(plain);
  TRY(begin, begin_of_bytes(slice, count));
  return StringCursor(slice, begin);
}

Result<bool> StringCursor::next_is_same(StringCursor& other) {
  uint64_t length = 0;
  uint64_t other_length = 0;
  CHECK_OK(take_length(lengths_, length));
  CHECK_OK(take_length(other.lengths_, other_length));
  bool same = length == other_length;
  while (same && length > 0) {
    const uint64_t step = std::min(length, kComparedStep);
    const std::string_view mine = bytes_.peek(step).substr(0, static_cast<size_t>(step));
    const std::string_view theirs = other.bytes_.peek(step).substr(0, static_cast<size_t>(step));
    if (!bytes_.ok()) return bytes_.error();
    if (!other.bytes_.ok()) return other.bytes_.error();
    same = mine == theirs;
    bytes_.skip(step);
    other.bytes_.skip(step);
    length -= step;
    other_length -= step;
  }
  bytes_.skip(length);
  other.bytes_.skip(other_length);
  return same;
}

}  // namespace cryo
