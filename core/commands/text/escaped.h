#pragma once

#include <string>
#include <string_view>

namespace cryo {

// Texts of a report come from models, paths and the command line. Printed verbatim, a name could
// move the cursor, end a line, or begin one that a CI system obeys.

// Returns a text on one line, without control characters. shown_text(shown_text(x)) is
// shown_text(x).
std::string shown_text(std::string_view text);

}  // namespace cryo
