#include "wire/cursor.h"

#include <limits>

#include "bytes/coding.h"

namespace cryo {
namespace {

// A tag is a varint of at most 32 bits whose field number is not 0.
bool take_tag(std::string_view& in, uint32_t& number, WireType& type) {
  uint64_t tag = 0;
  if (!take_varint(in, tag) || tag > std::numeric_limits<uint32_t>::max()) return false;
  number = static_cast<uint32_t>(tag >> 3);
  type = static_cast<WireType>(tag & 7);
  return number != 0 && (tag & 7) <= 5;
}

// Takes the bytes after a group's start tag, up to and with its end tag. `body` is the part between
// the tags.
bool take_group(std::string_view& in, uint32_t group, int depth, std::string_view& body) {
  if (depth > kMaxDepth) return false;
  const std::string_view start = in;
  while (true) {
    const size_t body_size = start.size() - in.size();
    uint32_t number = 0;
    WireType type{};
    uint64_t value = 0;
    std::string_view bytes;
    if (!take_tag(in, number, type)) return false;
    if (type == WireType::kEndGroup) {
      body = start.substr(0, body_size);
      return number == group;
    }
    const bool taken = type == WireType::kVarint    ? take_varint(in, value)
                       : type == WireType::kFixed64 ? take_bytes(in, 8, bytes)
                       : type == WireType::kFixed32 ? take_bytes(in, 4, bytes)
                       : type == WireType::kBytes
                           ? take_varint(in, value) && take_bytes(in, value, bytes)
                           : take_group(in, number, depth + 1, bytes);
    if (!taken) return false;
  }
}

}  // namespace

bool WireCursor::next() {
  if (rest_.empty() || !ok_) return false;
  const std::string_view start = rest_;
  ok_ = read_field();
  field_.record = start.substr(0, start.size() - rest_.size());
  return ok_;
}

bool WireCursor::read_field() {
  if (!take_tag(rest_, field_.number, field_.type)) return false;
  field_.bytes = {};
  field_.value = 0;
  std::string_view fixed;
  switch (field_.type) {
    case WireType::kVarint:
      return take_varint(rest_, field_.value);
    case WireType::kFixed64:
      if (!take_bytes(rest_, 8, fixed)) return false;
      field_.value = get_fixed64(fixed.data());
      return true;
    case WireType::kFixed32:
      if (!take_bytes(rest_, 4, fixed)) return false;
      field_.value = get_fixed32(fixed.data());
      return true;
    case WireType::kBytes:
      return take_varint(rest_, field_.value) && take_bytes(rest_, field_.value, field_.bytes);
    case WireType::kGroup:
      return take_group(rest_, field_.number, 1, field_.bytes);
    case WireType::kEndGroup:
      return false;
  }
  return false;
}

std::string_view last_bytes(std::string_view message, uint32_t number) {
  std::string_view found;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number == number && cursor.field().type == WireType::kBytes) {
      found = cursor.field().bytes;
    }
  }
  return found;
}

void put_tag(std::string& out, uint32_t number, WireType type) {
  put_varint(out, (uint64_t{number} << 3) | static_cast<uint64_t>(type));
}

void put_bytes_field(std::string& out, uint32_t number, std::string_view bytes) {
  put_tag(out, number, WireType::kBytes);
  put_varint(out, bytes.size());
  out += bytes;
}

void put_varint_field(std::string& out, uint32_t number, uint64_t value) {
  put_tag(out, number, WireType::kVarint);
  put_varint(out, value);
}

}  // namespace cryo
