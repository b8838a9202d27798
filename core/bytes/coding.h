#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

// The integers of protobuf's wire format and of LevelDB's tables: little-endian fixed width, and
// varints of seven bits a byte, low group first. Writers emit the shortest form unless a width is
// given.

constexpr size_t kMaxVarint64 = 10;

size_t varint_size(uint64_t value);
void put_varint(std::string& out, uint64_t value);

// A varint padded with continuation bytes to at least `width`: 5 in three bytes is 85 80 00.
void put_varint(std::string& out, uint64_t value, size_t width);

void put_fixed32(std::string& out, uint32_t value);
void put_fixed64(std::string& out, uint64_t value);

uint32_t get_fixed32(const char* bytes);
uint64_t get_fixed64(const char* bytes);

// Takes a value off the front of `in`; false, with `in` unchanged, if it is cut short or too long
// for 64 bits.
[[nodiscard]] bool take_long_varint(std::string_view& in, uint64_t& value);
[[nodiscard]] inline bool take_varint(std::string_view& in, uint64_t& value) {
  // Most tags and lengths are one byte.
  if (in.empty() || (in.front() & 0x80) != 0) return take_long_varint(in, value);
  value = static_cast<unsigned char>(in.front());
  in.remove_prefix(1);
  return true;
}
[[nodiscard]] inline bool take_bytes(std::string_view& in, uint64_t size, std::string_view& bytes) {
  if (size > in.size()) return false;
  bytes = std::string_view(in.data(), static_cast<size_t>(size));
  in.remove_prefix(static_cast<size_t>(size));
  return true;
}
[[nodiscard]] bool take_fixed32(std::string_view& in, uint32_t& value);

}  // namespace cryo
