#include "bytes/coding.h"

namespace cryo {

size_t varint_size(uint64_t value) {
  size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

void put_varint(std::string& out, uint64_t value) { put_varint(out, value, 1); }

void put_varint(std::string& out, uint64_t value, size_t width) {
  for (; value >= 0x80 || width > 1; value >>= 7) {
    out += static_cast<char>((value & 0x7F) | 0x80);
    if (width > 1) --width;
  }
  out += static_cast<char>(value);
}

void put_fixed32(std::string& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift);
}

void put_fixed64(std::string& out, uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(value >> shift);
}

uint32_t get_fixed32(const char* bytes) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

uint64_t get_fixed64(const char* bytes) {
  return get_fixed32(bytes) | (uint64_t{get_fixed32(bytes + 4)} << 32);
}

bool take_long_varint(std::string_view& in, uint64_t& value) {
  uint64_t result = 0;
  for (size_t i = 0; i < in.size() && i < kMaxVarint64; ++i) {
    const auto byte = static_cast<unsigned char>(in[i]);
    if (i == kMaxVarint64 - 1 && byte > 1) return false;
    result |= uint64_t{byte & 0x7FU} << (7 * i);
    if (byte < 0x80) {
      value = result;
      in.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

bool take_fixed32(std::string_view& in, uint32_t& value) {
  if (in.size() < 4) return false;
  value = get_fixed32(in.data());
  in.remove_prefix(4);
  return true;
}

}  // namespace cryo
