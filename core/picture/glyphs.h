#pragma once

#include <string>
#include <string_view>

namespace cryo {

// Widths of text in a fixed table, so that every host gives the same layout. The font is Helvetica,
// whose widths Arial and Liberation Sans share.

enum class TextStyle { kTitle, kDetail };  // 13 px semibold; 11 px

double text_width(std::string_view text, TextStyle style);

// Returns the text, its end replaced by "…" where it would be wider.
std::string elided(std::string_view text, TextStyle style, double width);

}  // namespace cryo
