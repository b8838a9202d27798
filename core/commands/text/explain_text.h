#pragma once

#include <string>

#include "wire/json/json_tree.h"

namespace cryo {

// Returns the report of explain() as a person reads it.
std::string explain_text(const JsonValue& report);

}  // namespace cryo
