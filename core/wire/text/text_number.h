#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

// Numbers as libprotobuf's text format has them.

// The fewest digits of 6 and 9 that read back as the same float, of 15 and 17 for a double, as
// printf's %g puts them: "0.1", "16777216", "1e+10", "-0", "inf", "nan".
void print_float(float value, std::string& out);
void print_double(double value, std::string& out);

// A token of digits: decimal, 0x and hexadecimal, 0 and octal. False if it is more than `most`.
bool parse_integer(std::string_view token, uint64_t most, uint64_t& value);

// Parses decimal digits with or without a point or an exponent; the rest of the text is ignored.
double parse_decimal(const std::string& token);

// Rounds to nearest; infinite beyond a float's range.
float to_float(double value);

}  // namespace cryo
