#pragma once

#include <string>

#include "commands/text/text_rows.h"
#include "commands/verbs.h"

namespace cryo {

// The report of an outcome as JSON or as a text for a terminal, in pieces: a list of nodes is
// large, and as one text it would be in memory twice. Both return false if `put` did.
//
// Texts are made of a report's JSON, and not of what it was written of: the npm command makes them
// in a module without core, of what core and JavaScript report.
bool write_json(const Outcome& outcome, const Put& put);
bool write_text(const Outcome& outcome, const JsonValue& report, const Look& look, const Put& put);

// The JSON as one text.
std::string to_string(const Outcome& outcome);

// Returns a report to make texts of.
JsonTree report_tree(const Report& report);

}  // namespace cryo
