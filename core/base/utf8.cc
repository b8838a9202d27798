#include "base/utf8.h"

#include "base/text.h"

namespace cryo {
namespace {

unsigned char byte_at(std::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Bytes of the UTF-8 sequence that begins here; 0 if none does.
size_t sequence_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, 1);
  const bool over_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool out_of_range = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return over_long || out_of_range ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = byte_at(text, i) < 0x80 ? 1 : sequence_length(text.substr(i));
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string printable(std::string_view text, size_t most) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (i >= most) return out + "...";
    const unsigned char byte = byte_at(text, i);
    const size_t length = sequence_length(text.substr(i));
    if (byte < 0x20 || byte == 0x7F || length == 0) {
      out += cat("\\x", kHex[byte >> 4], kHex[byte & 15]);
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::string quoted(std::string_view name) { return cat("'", printable(name, 300), "'"); }

}  // namespace cryo
