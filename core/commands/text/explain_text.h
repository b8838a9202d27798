#pragma once

#include <string>

#include "commands/report.h"

namespace cryo {

// Returns the report of explain() as a person reads it.
std::string explain_text(const Json& report);

}  // namespace cryo
