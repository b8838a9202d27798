#pragma once

#include "commands/report.h"

namespace cryo {

// Texts of a report come from models, paths and the command line. Printed verbatim, a name could
// move the cursor, end a line, or begin one that a CI system obeys.

// A text on one line, without control characters.
std::string shown_text(std::string_view text);

// Returns true if all texts of the report can be printed verbatim.
bool is_shown(const Json& report);

// The report with every text, keys included, on one line and without control characters.
// shown(shown(x)) == shown(x).
Json shown(const Json& report);

}  // namespace cryo
