#include "base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/text.h"

namespace cryo {
namespace {

unsigned char byte_at(std::string_view text, size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Returns true if a continuation byte may be the second of a sequence: it is not overlong, not a
// surrogate, and not above U+10FFFF.
bool may_follow(unsigned char first, unsigned char second) {
  const bool over_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool out_of_range = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return !over_long && !out_of_range;
}

// Bytes of the UTF-8 sequence that begins here; 0 if none does.
size_t sequence_length(std::string_view text) {
  const Utf8Sequence first = first_sequence(text);
  return first.whole ? first.size : 0;
}

// The character of a whole sequence.
uint32_t code_point(std::string_view sequence) {
  if (sequence.size() < 2) return sequence.empty() ? 0 : byte_at(sequence, 0);
  uint32_t character = byte_at(sequence, 0) & (0x7FU >> sequence.size());
  for (size_t i = 1; i < sequence.size(); ++i) {
    character = character << 6 | (byte_at(sequence, i) & 0x3FU);
  }
  return character;
}

struct Range {
  uint32_t first;
  uint32_t last;
};

// Characters that move the cursor, end a line or change the direction of the following text: C1
// controls, line and paragraph separators, and Unicode's bidirectional controls.
constexpr Range kSteering[] = {{0x80, 0x9F},     {0x61C, 0x61C},   {0x200E, 0x200F},
                               {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};

bool steers_terminal(uint32_t character) {
  return std::any_of(std::begin(kSteering), std::end(kSteering), [&](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

void append_hex(std::string& out, std::string_view prefix, uint32_t value, int digits) {
  out += prefix;
  while (digits-- > 0) out += "0123456789abcdef"[value >> (4 * digits) & 15];
}

}  // namespace

Utf8Sequence first_sequence(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return {1, true};
  if (first < 0xC2 || first > 0xF4) return {1, false};
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  for (size_t i = 1; i < length; ++i) {
    const bool ends = i == text.size() || (byte_at(text, i) & 0xC0) != 0x80 ||
                      (i == 1 && !may_follow(first, byte_at(text, 1)));
    if (ends) return {i, false};
  }
  return {length, true};
}

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = byte_at(text, i) < 0x80 ? 1 : sequence_length(text.substr(i));
    if (length == 0) return false;
    i += length;
  }
  return true;
}

bool needs_escape(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x7F;
  });
}

std::string printable(std::string_view text, size_t most) {
  if (!needs_escape(text))
    return text.size() > most ? cat(text.substr(0, most), "...") : std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (i >= most) return out + "...";
    const size_t length = sequence_length(text.substr(i));
    const uint32_t character = code_point(text.substr(i, length));
    if (length < 2 && (length == 0 || character < 0x20 || character == 0x7F)) {
      append_hex(out, "\\x", byte_at(text, i), 2);
    } else if (steers_terminal(character)) {
      append_hex(out, "\\u", character, 4);
    } else {
      out += text.substr(i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return out;
}

std::string quoted(std::string_view name) { return cat("'", printable(name, 300), "'"); }

}  // namespace cryo
