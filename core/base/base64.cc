#include "base/base64.h"

#include <cstdint>

namespace cryo {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Returns the six bits of a base64 character; 64 for any other character.
uint32_t sextet(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<uint32_t>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0') + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : 64;
}

}  // namespace

// Three bytes become four characters; a shorter end is padded.
void append_base64(std::string& out, std::string_view bytes) {
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    }
    for (size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kAlphabet[(group >> (18 - 6 * k)) & 63];
    }
  }
}

bool decode_base64(std::string_view text, std::string& bytes) {
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  if (text.size() % 4 == 1) return false;
  bytes.clear();
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const uint32_t six = sextet(c);
    if (six > 63) return false;
    group = (group << 6) | six;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits);
  }
  return true;
}

}  // namespace cryo
