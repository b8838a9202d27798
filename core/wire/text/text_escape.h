#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cryo {

// Escapes bytes for a string literal of the text format, in libprotobuf's form:
//
//     bytes   61 0A 22 00 C3 A9
//     text    a\n\"\000\303\251
//
// \n \r \t " ' \ are escaped by their letter, other bytes that are not printable as three octal
// digits.
void escape(std::string_view bytes, std::string& out);

// Decodes escapes, all that libprotobuf reads: \a \b \f \n \r \t \v \\ \? \' \" , \o to \ooo, \xh
// and \xhh, \uXXXX (also two for one character of UTF-16) and \UXXXXXXXX.
//
// Starts at in[0], inside a literal that began with `quote`. Stops at the first character or escape
// that would begin at `end` or beyond, at the closing quote, and with a `problem` at characters
// that a literal may not hold. Returns the bytes taken. An escape may reach past `end`: `in`
// continues there for kLongestEscape, or ends with the text.
size_t unescape(std::string_view in, size_t end, char quote, std::string& out,
                std::string_view& problem);

constexpr size_t kLongestEscape = 12;  // \uD83D\uDE00

// Returns the value of a digit of "0123456789abcdef", either case; 36 for any other character.
unsigned digit_value(char digit);

}  // namespace cryo
