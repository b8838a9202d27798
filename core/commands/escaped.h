#pragma once

#include "commands/report.h"

namespace cryo {

// A report's texts come from models, paths and the command line. Printed as they are, a name could
// move the cursor, end a line, or begin one that a CI system obeys.

// True if all texts of the report may be printed as they are.
bool is_shown(const Json& report);

// The report with every text, keys included, on one line and without control characters.
// shown(shown(x)) == shown(x).
Json shown(const Json& report);

}  // namespace cryo
