#pragma once

#include <string>

#include "commands/text/look.h"
#include "wire/json/json_tree.h"

namespace cryo {

// Texts of a model, a path or a message are escaped: each is on one line, has no control
// characters, and cannot be a command to a terminal or to the log of a CI system.

// Returns a report as text for a terminal's standard output.
std::string report_text(const JsonValue& report, const Look& look = {});

// Returns the line that precedes the texts of one of several models.
std::string heading_text(std::string_view path, const Look& look = {});

}  // namespace cryo
