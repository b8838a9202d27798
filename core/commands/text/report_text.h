#pragma once

#include <string>

#include "commands/report.h"

namespace cryo {

// Texts of a model, a path or a message are escaped here, in one place: each is on one line, has no
// control characters, and cannot be a command to a terminal or to the log of a CI system.

// Returns a report as text for a terminal's standard output. `verbose`: whole lists instead of
// their beginnings.
std::string report_text(const Json& report, bool verbose);

// Returns a report's diagnostics for standard error, a line or two each. `quiet` omits notes,
// `verbose` prints each in full.
std::string diagnostics_text(const Json& report, bool quiet, bool verbose);

}  // namespace cryo
