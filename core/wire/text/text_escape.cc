#include "wire/text/text_escape.h"

#include <algorithm>
#include <cstdint>

namespace cryo {
namespace {

constexpr std::string_view kEscaped = "abfnrtv\\?'\"";
constexpr std::string_view kPlain = "\a\b\f\n\r\t\v\\?'\"";

// How many digits of the base stand at `in`, `most` at most, and their number.
size_t take_digits(std::string_view in, unsigned base, size_t most, uint32_t& number) {
  size_t count = 0;
  for (number = 0; count < std::min(most, in.size()); ++count) {
    const unsigned digit = digit_value(in[count]);
    if (digit >= base) break;
    number = number * base + digit;
  }
  return count;
}

void put_utf8(uint32_t point, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3F)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// Decodes the digits after "\u" or "\U". Returns the number of characters taken.
size_t take_code_point(std::string_view in, size_t digits, std::string& out,
                       std::string_view& problem) {
  uint32_t point = 0;
  size_t taken = take_digits(in, 16, digits, point);
  if (taken < digits || point > 0x10FFFF) {
    problem = digits == 4 ? "Expected four hex digits for \\u escape sequence."
                          : "Expected eight hex digits up to 10ffff for \\U escape sequence";
    return taken;
  }
  uint32_t second = 0;
  if (point >= 0xD800 && point < 0xDC00 && in.substr(taken, 2) == "\\u" &&
      take_digits(in.substr(taken + 2), 16, 4, second) == 4 && second >= 0xDC00 &&
      second < 0xE000) {
    point = 0x10000 + ((point - 0xD800) << 10 | (second - 0xDC00));
    taken += 6;
  }
  put_utf8(point, out);
  return taken;
}

// Decodes the characters after a backslash. Returns the number of characters taken.
size_t take_escape(std::string_view in, std::string& out, std::string_view& problem) {
  uint32_t number = 0;
  if (const size_t octal = take_digits(in, 8, 3, number); octal > 0) {
    out += static_cast<char>(number);
    return octal;
  }
  const char kind = in.empty() ? '\0' : in[0];
  if (kind == 'x' || kind == 'X') {
    const size_t hex = take_digits(in.substr(1), 16, 2, number);
    if (hex == 0) problem = "Expected hex digits for escape sequence.";
    out += static_cast<char>(number);
    return 1 + hex;
  }
  if (kind == 'u' || kind == 'U') {
    return 1 + take_code_point(in.substr(1), kind == 'u' ? 4 : 8, out, problem);
  }
  const size_t letter = kEscaped.find(kind);
  if (letter == std::string_view::npos) {
    problem = "Invalid escape sequence in string literal.";
    return 0;
  }
  out += kPlain[letter];
  return 1;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Most of a tensor's text is "\\ooo".
bool take_octal(std::string_view in, std::string& out) {
  if (in.size() < 4 || !is_octal(in[1]) || !is_octal(in[2]) || !is_octal(in[3])) return false;
  out += static_cast<char>((in[1] - '0') << 6 | (in[2] - '0') << 3 | (in[3] - '0'));
  return true;
}

bool is_plain(char c, char quote) { return c != '\\' && c != quote && c != '\n' && c != '\0'; }

}  // namespace

unsigned digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a') + 10;
  if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A') + 10;
  return 36;
}

void escape(std::string_view bytes, std::string& out) {
  constexpr std::string_view kNamed = "\nn\rr\tt\"\"\'\'\\\\";  // a byte and its letter
  size_t at = out.size();
  out.resize(at + 4 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '"' && c != '\'' && c != '\\') {
      out[at++] = c;
      continue;
    }
    out[at++] = '\\';
    const size_t named = byte >= 0x7F ? std::string_view::npos : kNamed.find(c);
    if (named != std::string_view::npos && named % 2 == 0) {
      out[at++] = kNamed[named + 1];
    } else {
      out[at++] = static_cast<char>('0' + (byte >> 6));
      out[at++] = static_cast<char>('0' + (byte >> 3 & 7));
      out[at++] = static_cast<char>('0' + (byte & 7));
    }
  }
  out.resize(at);
}

size_t unescape(std::string_view in, size_t end, char quote, std::string& out,
                std::string_view& problem) {
  size_t at = 0;
  while (at < end && problem.empty()) {
    if (in[at] == '\\') {
      if (take_octal(in.substr(at), out)) {
        at += 4;
        continue;
      }
      at += 1 + take_escape(in.substr(at + 1), out, problem);
      continue;
    }
    for (; at < end && is_plain(in[at], quote); ++at) out += in[at];
    if (at == end || in[at] == '\\') continue;
    if (in[at] == '\n') problem = "String literals cannot cross line boundaries.";
    if (in[at] == '\0') problem = "Unexpected end of string.";
    if (in[at] == quote) break;
  }
  return at;
}

}  // namespace cryo
