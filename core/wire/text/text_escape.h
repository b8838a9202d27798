#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cryo {

// The inside of a string literal of the text format, in libprotobuf's form:
//
//     bytes   61 0A 22 00 C3 A9
//     text    a\n\"\000\303\251
//
// Escaped are \n \r \t " ' \ by their letter, and what does not print as three octal digits.
void escape(std::string_view bytes, std::string& out);

// The other way, for every escape that libprotobuf reads: \a \b \f \n \r \t \v \\ \? \' \" , \o to
// \ooo, \xh and \xhh, \uXXXX (also two for one character of UTF-16) and \UXXXXXXXX.
//
// Decodes from in[0], inside a literal that began with `quote`, until a character or an escape
// would begin at `end` or beyond; before that it stops at the closing quote, and with a `problem`
// at what no literal may hold. Returns the bytes taken. An escape may reach past `end`: there `in`
// goes on for kLongestEscape, or is at the end of the text.
size_t unescape(std::string_view in, size_t end, char quote, std::string& out,
                std::string_view& problem);

constexpr size_t kLongestEscape = 12;  // \uD83D\uDE00

// Returns the value of a digit of "0123456789abcdef", either case; 36 for any other character.
unsigned digit_value(char digit);

}  // namespace cryo
