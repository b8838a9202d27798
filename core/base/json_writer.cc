#include "base/json_writer.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_verbatim(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

// Returns the letter that follows a backslash for this character; 0 if it has none.
char escape_of(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    default:
      return 0;
  }
}

// Appends an ASCII character that is not verbatim.
void append_escaped(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (const char letter = escape_of(c)) {
    out += '\\';
    out += letter;
  } else if (byte < 0x20) {
    out += "\\u00";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  } else {
    out += c;
  }
}

}  // namespace

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

void JsonWriter::begin(char opening) {
  separate();
  out_ += opening;
  first_ = true;
}

void JsonWriter::end(char closing) {
  out_ += closing;
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  quote(name);
  out_ += ':';
  first_ = true;
}

void JsonWriter::begin_line() {
  separate();
  out_ += '\n';
  first_ = true;
}

void JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
}

void JsonWriter::quote(std::string_view text) {
  separate();
  out_ += '"';
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_verbatim(text[end])) ++end;
    out_ += text.substr(i, end - i);
    i = end;
    if (i == text.size()) break;
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      append_escaped(out_, text[i++]);
      continue;
    }
    const Utf8Sequence sequence = first_sequence(text.substr(i));
    out_ += sequence.whole ? text.substr(i, sequence.size) : kReplacement;
    i += sequence.size;
  }
  out_ += '"';
}

void JsonWriter::whole(uint64_t number) {
  raw(number > kMaxExact ? cat('"', number, '"') : cat(number));
}

void JsonWriter::whole(int64_t number) {
  constexpr auto kMax = static_cast<int64_t>(kMaxExact);
  raw(number > kMax || number < -kMax ? cat('"', number, '"') : cat(number));
}

void JsonWriter::real(double number) {
  if (!std::isfinite(number)) return null();
  std::array<char, 64> digits;
  char* const begin = digits.data();
  // std::to_chars of Emscripten 3.1.6 takes no double.
  const char* const end = nlohmann::detail::to_chars(begin, begin + digits.size(), number);
  raw({begin, static_cast<size_t>(end - begin)});
}

}  // namespace cryo
