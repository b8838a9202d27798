#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "bytes/coding.h"
#include "wire/cursor.h"

namespace cryo {

// The most bytes of a tag and a varint or length.
constexpr uint64_t kMaxFieldHeader = 5 + kMaxVarint64;

// A field's tag, with its varint or length.
struct FieldHeader {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;  // of a varint; the length of length-delimited bytes
  size_t tag_size = 0;
  size_t size = 0;  // tag and value or length
};

// Reads the header at the front of `bytes`; false if it is malformed or cut short.
inline bool read_field_header(std::string_view bytes, FieldHeader& header) {
  const size_t available = bytes.size();
  uint64_t tag = 0;
  if (!take_varint(bytes, tag) || tag > std::numeric_limits<uint32_t>::max()) return false;
  header.number = static_cast<uint32_t>(tag >> 3);
  header.type = static_cast<WireType>(tag & 7);
  header.tag_size = available - bytes.size();
  header.value = 0;
  const bool valued = header.type == WireType::kVarint || header.type == WireType::kBytes;
  if (valued && !take_varint(bytes, header.value)) return false;
  header.size = available - bytes.size();
  return header.number != 0 && (tag & 7) <= 5;
}

// Returns the number of bytes after the header if the header determines it; it does not for a
// group.
inline uint64_t body_size(const FieldHeader& header) {
  switch (header.type) {
    case WireType::kBytes:
      return header.value;
    case WireType::kFixed64:
      return 8;
    case WireType::kFixed32:
      return 4;
    default:
      return 0;
  }
}

}  // namespace cryo
